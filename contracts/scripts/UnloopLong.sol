// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IMorpho, MarketParams} from "../interfaces/IMorpho.sol";
import {IUniswapV3Factory} from "../interfaces/IUniswapV3.sol";
import {LoopSwap, LoopTrade, IUniswapV3SwapCallback} from "./LoopSwap.sol";
import {MorphoDebt} from "./MorphoDebt.sol";

/// @notice A leveraged long position to reduce or close. The market's collateral is the exposure, its loan token the backing.
/// @param exposureAmount Sold out of the collateral; 2^256-1 closes the position: all collateral is sold, all debt repaid
/// @param backingAmountToExit Of the proceeds, what the wallet keeps instead of repaying; 2^256-1 is everything
/// @param minSwapBackingAmount Least that the exposure must fetch, before the fee
/// @param feeAmount Paid out of the proceeds, in the backing token, to `feeRecipient`
struct UnloopParams {
    IMorpho morpho;
    MarketParams market;
    IUniswapV3Factory factory;
    uint24 poolFee;
    uint256 exposureAmount;
    uint256 backingAmountToExit;
    uint256 minSwapBackingAmount;
    uint256 feeAmount;
    address feeRecipient;
}

/// @title UnloopLong
/// @notice Script: what withdrawing, swapping and repaying over and over would lead to, in one swap. The pool pays the backing
/// out first; it repays debt, which frees the exposure that the pool is paid with.
contract UnloopLong is IUniswapV3SwapCallback {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    /// @notice The exposure fetches less backing than agreed.
    error SwapYieldTooLow(uint256 received, uint256 minimum);
    /// @notice The pool takes less exposure than is to be sold.
    error NotEnoughLiquidity(uint256 available, uint256 wanted);
    /// @notice What the exposure fetches, less the fee, is less than the wallet wants to keep of it.
    error ExitAboveProceeds(uint256 exit, uint256 proceeds);
    /// @notice The position cannot be closed: what the exposure fetches, less the fee, does not pay the debt.
    error ProceedsBelowDebt(uint256 proceeds, uint256 debt);

    address private immutable self = address(this);

    function unloop(UnloopParams memory params) external {
        uint256 sold = params.exposureAmount;
        if (sold == type(uint256).max) {
            bytes32 id = keccak256(abi.encode(params.market));
            sold = params.morpho.position(id, address(this)).collateral;
        }
        LoopTrade memory trade = LoopTrade({
            factory: params.factory,
            poolFee: params.poolFee,
            sold: params.market.collateralToken,
            bought: params.market.loanToken,
            amount: sold.toInt256()
        });
        LoopSwap.start(trade, self, abi.encode(params, sold));
    }

    /// @inheritdoc IUniswapV3SwapCallback
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        (UnloopParams memory params, uint256 wanted) = abi.decode(data, (UnloopParams, uint256));
        (uint256 sold, uint256 received) = LoopSwap.split(amount0, amount1);
        if (sold < wanted) revert NotEnoughLiquidity(sold, wanted);
        if (received < params.minSwapBackingAmount) revert SwapYieldTooLow(received, params.minSwapBackingAmount);

        IERC20(params.market.loanToken).safeTransfer(params.feeRecipient, params.feeAmount);
        _repay(params, received - params.feeAmount);
        params.morpho.withdrawCollateral(params.market, sold, address(this), msg.sender);
    }

    function _repay(UnloopParams memory params, uint256 proceeds) private {
        if (params.exposureAmount == type(uint256).max) {
            (, uint256 debt) = MorphoDebt.owed(params.morpho, params.market);
            if (proceeds < debt) revert ProceedsBelowDebt(proceeds, debt);
        }
        uint256 exit = params.backingAmountToExit;
        if (exit == type(uint256).max) return;
        if (exit > proceeds) revert ExitAboveProceeds(exit, proceeds);
        MorphoDebt.repayUpTo(params.morpho, params.market, proceeds - exit);
    }
}
