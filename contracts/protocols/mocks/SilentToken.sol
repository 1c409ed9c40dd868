// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice A token whose `transfer` and `transferFrom` answer nothing, as USDT's do on mainnet. Anyone may mint and move it.
contract SilentToken {
    uint8 public constant decimals = 6;
    mapping(address account => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function transfer(address to, uint256 amount) external {
        transferFrom(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}
