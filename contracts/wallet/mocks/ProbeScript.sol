// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ISvcWallet, Operation} from "../ISvcWallet.sol";
import {SvcNonceManager} from "../SvcNonceManager.sol";

/// @notice Script for tests: shows where it runs, fails in every way, and uses the wallet that runs it.
contract ProbeScript {
    error Refused(uint256 value);

    function whereAmI() external view returns (address) {
        return address(this);
    }

    function refuse(uint256 value) external pure {
        revert Refused(value);
    }

    function refuseSilently() external pure {
        revert();
    }

    /// @notice Uses up the nonce of another operation of the wallet.
    function cancel(SvcNonceManager nonceManager, bytes32 nonce) external {
        nonceManager.cancel(nonce);
    }

    /// @notice Runs an operation of the wallet from within one.
    function execute(Operation calldata op, bytes calldata signature) external {
        ISvcWallet(address(this)).executeOperation(op, signature);
    }
}
