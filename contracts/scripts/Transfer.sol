// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title Transfer
/// @notice Script: sends an asset of the wallet to anybody.
contract Transfer {
    using SafeERC20 for IERC20;

    /// @param cappedMax Send at most what the wallet holds, instead of failing when it holds less
    function transferERC20Token(address token, address recipient, uint256 amount, bool cappedMax) external {
        if (cappedMax) amount = Math.min(amount, IERC20(token).balanceOf(address(this)));
        IERC20(token).safeTransfer(recipient, amount);
    }

    /// @param cappedMax Send at most what the wallet holds, instead of failing when it holds less
    function transferNativeToken(address recipient, uint256 amount, bool cappedMax) external {
        if (cappedMax) amount = Math.min(amount, address(this).balance);
        Address.sendValue(payable(recipient), amount);
    }
}
