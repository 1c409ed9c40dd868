// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Received} from "./Received.sol";

/// @notice What a swap is made of. The native token goes by the address 0xEeee…EEeE on either side.
/// @param target Contract that carries the swap out when called with `data`
/// @param allowanceTarget Contract that takes the sold token
/// @param maxSellAmount Most that may be taken of the sold token
/// @param minBuyAmount Least that must arrive of the bought token, before the fee
/// @param feeAmount Paid out of what arrived, in the bought token
struct SwapParams {
    address target;
    address allowanceTarget;
    address sellToken;
    uint256 maxSellAmount;
    address buyToken;
    uint256 minBuyAmount;
    uint256 feeAmount;
    address feeRecipient;
    bytes data;
}

/// @title Swap
/// @notice Script: swaps through an aggregator's transaction, checks what arrived, and pays the service's fee. What is left of
/// a token that was bought is handed on to scripts that come after it.
contract Swap {
    using SafeERC20 for IERC20;

    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    /// @notice The service's fee has been paid, in the bought token.
    event SwapFeePaid(address indexed token, address indexed recipient, uint256 amount);

    /// @notice Less than the agreed minimum arrived.
    error InsufficientBuyAmount(uint256 received, uint256 minimum);

    function swap(SwapParams calldata params) external {
        bool sellsNative = params.sellToken == NATIVE;
        uint256 before = _balanceOf(params.buyToken);
        if (!sellsNative) IERC20(params.sellToken).forceApprove(params.allowanceTarget, params.maxSellAmount);
        Address.functionCallWithValue(params.target, params.data, sellsNative ? params.maxSellAmount : 0);
        if (!sellsNative) IERC20(params.sellToken).forceApprove(params.allowanceTarget, 0);

        uint256 received = _balanceOf(params.buyToken) - before;
        if (received < params.minBuyAmount) revert InsufficientBuyAmount(received, params.minBuyAmount);
        _payFee(params.buyToken, params.feeRecipient, params.feeAmount);
        if (params.buyToken != NATIVE) Received.addSince(params.buyToken, before);
    }

    function _payFee(address token, address recipient, uint256 amount) private {
        if (amount == 0) return;
        if (token == NATIVE) Address.sendValue(payable(recipient), amount);
        else IERC20(token).safeTransfer(recipient, amount);
        emit SwapFeePaid(token, recipient, amount);
    }

    function _balanceOf(address token) private view returns (uint256) {
        return token == NATIVE ? address(this).balance : IERC20(token).balanceOf(address(this));
    }
}
