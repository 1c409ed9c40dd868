// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {SvcNonceManager} from "../wallet/SvcNonceManager.sol";

/// @title NonceLens
/// @notice Finds the nonce that a wallet's next plan can have: whatever became of the ones before, on this chain or in signed
/// operations that somebody else submitted or cancelled, plans go on. Has no state.
contract NonceLens {
    /// @notice The first count, from `from` on, of which no nonce was used.
    /// @param length How many nonces a count stands for: its secret, the hash of that, the hash of the hash, and so on
    function firstFree(SvcNonceManager manager, address wallet, uint256 from, uint256 length)
        external
        view
        returns (uint256 count)
    {
        string memory prefix =
            string.concat("svc-sim/nonce/", Strings.toString(block.chainid), "/", Strings.toHexString(wallet), "/");
        count = from;
        while (!_isFree(manager, wallet, _secretOf(prefix, count), length)) count++;
    }

    function _secretOf(string memory prefix, uint256 count) private pure returns (bytes32) {
        return keccak256(bytes(string.concat(prefix, Strings.toString(count))));
    }

    function _isFree(SvcNonceManager manager, address wallet, bytes32 nonce, uint256 length)
        private
        view
        returns (bool)
    {
        for (uint256 i = 0; i < length; i++) {
            if (manager.submissionTokenOf(wallet, nonce) != bytes32(0)) return false;
            nonce = keccak256(abi.encodePacked(nonce));
        }
        return true;
    }
}
