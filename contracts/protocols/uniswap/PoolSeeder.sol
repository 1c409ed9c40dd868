// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice What the seeder asks of a Uniswap V3 pool.
interface IUniswapV3PoolMint {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
}

/// @notice Gives a pool its liquidity without the position manager, whose records would be half of what a pool stores. Stands
/// in the world only while that is built.
contract PoolSeeder {
    using SafeERC20 for IERC20;

    /// @notice Adds liquidity that belongs to the caller, who pays for it and must have approved this contract.
    function seed(IUniswapV3PoolMint pool, int24 tickLower, int24 tickUpper, uint128 liquidity) external {
        pool.mint(msg.sender, tickLower, tickUpper, liquidity, abi.encode(msg.sender));
    }

    /// @notice The pool asks to be paid.
    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        address payer = abi.decode(data, (address));
        IUniswapV3PoolMint pool = IUniswapV3PoolMint(msg.sender);
        IERC20(pool.token0()).safeTransferFrom(payer, msg.sender, amount0);
        IERC20(pool.token1()).safeTransferFrom(payer, msg.sender, amount1);
    }
}
