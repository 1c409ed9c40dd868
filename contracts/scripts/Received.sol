// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SlotDerivation} from "@openzeppelin/contracts/utils/SlotDerivation.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";

/// @title Received
/// @notice Hands the amount that one script of a transaction brought into the wallet to a later one, which supplies exactly
/// that much. Kept in the wallet's transient storage, since scripts run by delegate call: nothing of it is left for another
/// transaction.
/// @dev A script that brings tokens (withdraws, swaps, claims) calls `add`, or `addSince` with the balance from before; the one
/// that passes them on calls `take`, which empties the sum. A script that spends some of it again (a swap of what was claimed)
/// takes the sum of the token that it sells and adds what it bought, after any fee.
library Received {
    using SlotDerivation for bytes32;
    using TransientSlot for bytes32;
    using TransientSlot for TransientSlot.Uint256Slot;

    /// @notice No script before this one brought any of the token.
    error NothingReceived(address token);

    bytes32 private constant AMOUNTS = keccak256("svc.script.received");

    /// @notice Adds to what the transaction has brought of a token.
    function add(address token, uint256 amount) internal {
        TransientSlot.Uint256Slot slot = slotOf(token);
        slot.tstore(slot.tload() + amount);
    }

    /// @notice Adds what the wallet's balance has grown by since it was `before`.
    function addSince(address token, uint256 before) internal {
        add(token, IERC20(token).balanceOf(address(this)) - before);
    }

    /// @notice All that was brought of a token and not taken yet; reverts when that is nothing.
    function take(address token) internal returns (uint256 amount) {
        TransientSlot.Uint256Slot slot = slotOf(token);
        amount = slot.tload();
        if (amount == 0) revert NothingReceived(token);
        slot.tstore(0);
    }

    function slotOf(address token) private pure returns (TransientSlot.Uint256Slot) {
        return AMOUNTS.deriveMapping(token).asUint256();
    }
}
