// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ICometActions} from "./CometSupply.sol";

/// @title CometBorrow
/// @notice Script: supplies collateral of the wallet to a Comet market and borrows the market's base asset against it.
contract CometBorrow {
    using SafeERC20 for IERC20;

    /// @param assets Collateral assets; none borrows against what is there already
    /// @param amounts One per asset
    /// @param borrowAmount Taken from the wallet's own base position first, if it has one; the market borrows what is beyond
    function run(
        address comet,
        address[] calldata assets,
        uint256[] calldata amounts,
        address baseAsset,
        uint256 borrowAmount
    ) external {
        for (uint256 i = 0; i < assets.length; i++) {
            IERC20(assets[i]).forceApprove(comet, amounts[i]);
            ICometActions(comet).supply(assets[i], amounts[i]);
        }
        ICometActions(comet).withdraw(baseAsset, borrowAmount);
    }
}
