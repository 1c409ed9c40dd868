// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IUniswapV3Factory, IUniswapV3Pool} from "../interfaces/IUniswapV3.sol";
import {Callback} from "../wallet/Callback.sol";

/// @notice What a Uniswap V3 pool asks of whoever swaps on it.
interface IUniswapV3SwapCallback {
    /// @notice The pool has paid out the negative amount and wants the positive one by the end of this call.
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
}

/// @notice A trade on the pool of two tokens and a fee. `amount` below zero is what is bought, above zero what is sold.
struct LoopTrade {
    IUniswapV3Factory factory;
    uint24 poolFee;
    address sold;
    address bought;
    int256 amount;
}

/// @title LoopSwap
/// @notice Swaps of which the script pays after it has what it bought: the pool calls the wallet back in between.
library LoopSwap {
    using SafeCast for int256;

    /// @dev The square roots of the prices beyond which no pool goes (Uniswap V3, TickMath): no limit at all.
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    /// @notice The two tokens have no pool with that fee.
    error NoPool(address sold, address bought, uint24 poolFee);

    /// @notice Swaps for the wallet; the pool's callback runs `script` with `data`.
    function start(LoopTrade memory trade, address script, bytes memory data) internal {
        address pool = trade.factory.getPool(trade.sold, trade.bought, trade.poolFee);
        if (pool == address(0)) revert NoPool(trade.sold, trade.bought, trade.poolFee);
        bool sellsFirst = trade.sold < trade.bought;
        Callback.expect(pool, script);
        IUniswapV3Pool(pool).swap(address(this), sellsFirst, trade.amount, sellsFirst ? LOWEST : HIGHEST, data);
    }

    /// @notice What the pool wants and what it has paid out, from the amounts it calls back with.
    function split(int256 amount0, int256 amount1) internal pure returns (uint256 cost, uint256 bought) {
        (int256 owed, int256 got) = amount0 > 0 ? (amount0, amount1) : (amount1, amount0);
        return (owed.toUint256(), (-got).toUint256());
    }
}
