// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";
import {ISvcWallet} from "./ISvcWallet.sol";
import {Script} from "./Script.sol";

/// @title Callback
/// @notice How a script lets one contract call the wallet back: nobody else, once, and within the same transaction, since the
/// permission is in transient storage. A script sets it while the wallet runs it; the wallet uses it up in its fallback.
library Callback {
    using TransientSlot for bytes32;
    using TransientSlot for TransientSlot.AddressSlot;

    /// @dev Hashes, so that they meet neither each other nor what a script keeps in transient storage of its own.
    bytes32 private constant CALLER = keccak256("svc.wallet.callback.caller");
    bytes32 private constant SCRIPT = keccak256("svc.wallet.callback.script");

    /// @notice Lets `caller` call the wallet once; the call is run by `script`.
    function expect(address caller, address script) internal {
        CALLER.asAddress().tstore(caller);
        SCRIPT.asAddress().tstore(script);
    }

    /// @notice The script that was set for the calling contract, whose permission this uses up.
    function take() internal returns (address script) {
        if (CALLER.asAddress().tload() != msg.sender) revert ISvcWallet.UnexpectedCall(msg.sender);
        script = SCRIPT.asAddress().tload();
        expect(address(0), address(0));
    }
}

/// @title CallbackReceiver
/// @notice The fallback of a wallet: calls to functions that it does not have are expected callbacks, or are refused.
abstract contract CallbackReceiver {
    fallback(bytes calldata data) external returns (bytes memory) {
        return Script.run(Callback.take(), data);
    }
}
