// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ICometActions} from "./CometSupply.sol";

/// @title CometWithdraw
/// @notice Script: withdraws an asset from a Comet market to the wallet.
contract CometWithdraw {
    /// @param amount Smallest units; 2^256-1 withdraws the whole base position
    function withdraw(address comet, address asset, uint256 amount) external {
        ICometActions(comet).withdraw(asset, amount);
    }
}
