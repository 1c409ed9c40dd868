// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ICometActions} from "./CometSupply.sol";

interface ICometDebt {
    function borrowBalanceOf(address account) external view returns (uint256);
}

/// @title CometRepay
/// @notice Script: pays back the wallet's debt to a Comet market and takes collateral out.
contract CometRepay {
    using SafeERC20 for IERC20;

    /// @param assets Collateral assets to take out; none only repays
    /// @param amounts One per asset
    /// @param repayAmount 2^256-1 repays the whole debt with the interest of this moment; 0 repays nothing
    function run(
        address comet,
        address[] calldata assets,
        uint256[] calldata amounts,
        address baseAsset,
        uint256 repayAmount
    ) external {
        if (repayAmount == type(uint256).max) repayAmount = ICometDebt(comet).borrowBalanceOf(address(this));
        if (repayAmount > 0) {
            IERC20(baseAsset).forceApprove(comet, repayAmount);
            ICometActions(comet).supply(baseAsset, repayAmount);
        }
        for (uint256 i = 0; i < assets.length; i++) {
            ICometActions(comet).withdraw(assets[i], amounts[i]);
        }
    }
}
