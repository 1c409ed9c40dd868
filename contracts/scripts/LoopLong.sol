// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IMorpho, MarketParams} from "../interfaces/IMorpho.sol";
import {IUniswapV3Factory} from "../interfaces/IUniswapV3.sol";
import {IUniswapV3SwapCallback, LoopSwap, LoopTrade} from "./LoopSwap.sol";

/// @notice A leveraged long position to open or increase. The market's collateral is the exposure, its loan token the backing.
/// @param exposureAmount Becomes collateral, all of it
/// @param maxSwapBackingAmount Most that the exposure and the fee may cost
/// @param maxProvidedBackingAmount Paid by the wallet, as far as the cost goes; the rest is borrowed
/// @param feeAmount Bought on top, in the exposure token, for `feeRecipient`
struct LoopParams {
    IMorpho morpho;
    MarketParams market;
    IUniswapV3Factory factory;
    uint24 poolFee;
    uint256 exposureAmount;
    uint256 maxSwapBackingAmount;
    uint256 maxProvidedBackingAmount;
    uint256 feeAmount;
    address feeRecipient;
}

/// @title LoopLong
/// @notice Script: what borrowing, swapping and supplying over and over would lead to, in one swap. The pool pays the exposure
/// out first; it becomes collateral, the backing is borrowed against it, and the pool is paid.
contract LoopLong is IUniswapV3SwapCallback {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    /// @notice The exposure costs more backing than allowed.
    error SwapCostTooHigh(uint256 cost, uint256 maximum);
    /// @notice The pool has less exposure than wanted.
    error NotEnoughLiquidity(uint256 available, uint256 wanted);

    address private immutable self = address(this);

    function loop(LoopParams calldata params) external {
        LoopTrade memory trade = LoopTrade({
            factory: params.factory,
            poolFee: params.poolFee,
            sold: params.market.loanToken,
            bought: params.market.collateralToken,
            amount: -(params.exposureAmount + params.feeAmount).toInt256()
        });
        LoopSwap.start(trade, self, abi.encode(params));
    }

    /// @inheritdoc IUniswapV3SwapCallback
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        LoopParams memory params = abi.decode(data, (LoopParams));
        (uint256 cost, uint256 bought) = LoopSwap.split(amount0, amount1);
        uint256 wanted = params.exposureAmount + params.feeAmount;
        if (bought < wanted) revert NotEnoughLiquidity(bought, wanted);
        if (cost > params.maxSwapBackingAmount) revert SwapCostTooHigh(cost, params.maxSwapBackingAmount);

        IERC20 exposure = IERC20(params.market.collateralToken);
        exposure.safeTransfer(params.feeRecipient, params.feeAmount);
        exposure.forceApprove(address(params.morpho), params.exposureAmount);
        params.morpho.supplyCollateral(params.market, params.exposureAmount, address(this), "");
        uint256 borrowed = cost - Math.min(cost, params.maxProvidedBackingAmount);
        if (borrowed > 0) params.morpho.borrow(params.market, borrowed, 0, address(this), address(this));
        IERC20(params.market.loanToken).safeTransfer(msg.sender, cost);
    }
}
