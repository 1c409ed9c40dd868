// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IMorpho, MarketParams} from "../interfaces/IMorpho.sol";
import {MorphoDebt} from "./MorphoDebt.sol";

/// @title MorphoActions
/// @notice Script: borrows on a Morpho Blue market against collateral of the wallet, and the way back. An amount of 0 leaves
/// that half out.
contract MorphoActions {
    using SafeERC20 for IERC20;

    function supplyCollateralAndBorrow(
        IMorpho morpho,
        MarketParams calldata market,
        uint256 collateralAmount,
        uint256 borrowAmount
    ) external {
        if (collateralAmount > 0) {
            IERC20(market.collateralToken).forceApprove(address(morpho), collateralAmount);
            morpho.supplyCollateral(market, collateralAmount, address(this), "");
        }
        if (borrowAmount > 0) morpho.borrow(market, borrowAmount, 0, address(this), address(this));
    }

    /// @param repayAmount More than the debt, for example 2^256-1, repays the whole debt with the interest of this moment
    function repayAndWithdrawCollateral(
        IMorpho morpho,
        MarketParams calldata market,
        uint256 repayAmount,
        uint256 collateralAmount
    ) external {
        if (repayAmount > 0) MorphoDebt.repayUpTo(morpho, market, repayAmount);
        if (collateralAmount > 0) {
            morpho.withdrawCollateral(market, collateralAmount, address(this), address(this));
        }
    }
}
