// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

interface IWrapper {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// @title Wrap
/// @notice Script: turns the native token into its wrapped twin or back, as much as is missing. What is there already is left
/// alone, so it does not matter in which of the two forms a bridge delivered.
contract Wrap {
    /// @notice Makes the wallet hold at least `amount` of the wrapped token.
    function ensureWrapped(address wrapper, uint256 amount) external {
        uint256 held = IERC20(wrapper).balanceOf(address(this));
        if (held < amount) IWrapper(wrapper).deposit{value: amount - held}();
    }

    /// @notice Makes the wallet hold at least `amount` of the native token.
    function ensureNative(address wrapper, uint256 amount) external {
        uint256 held = address(this).balance;
        if (held < amount) IWrapper(wrapper).withdraw(amount - held);
    }
}
