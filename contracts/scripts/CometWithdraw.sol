// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ICometActions} from "./CometSupply.sol";
import {Received} from "./Received.sol";

/// @title CometWithdraw
/// @notice Script: withdraws an asset from a Comet market to the wallet.
contract CometWithdraw {
    /// @param amount Smallest units; 2^256-1 withdraws the whole base position
    function withdraw(address comet, address asset, uint256 amount) external {
        uint256 before = IERC20(asset).balanceOf(address(this));
        ICometActions(comet).withdraw(asset, amount);
        Received.addSince(asset, before);
    }
}
