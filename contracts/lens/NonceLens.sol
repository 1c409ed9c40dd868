// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {SvcNonceManager} from "../wallet/SvcNonceManager.sol";

/// @title NonceLens
/// @notice Finds the nonce that a wallet's next plan can have: whatever became of the ones before, on this chain or in signed
/// operations that somebody else submitted or cancelled, plans go on. Has no state.
contract NonceLens {
    /// @notice The first count, from `from` on, of which no nonce was used.
    /// @param length How many nonces a count stands for: its secret, then `_next` of each
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
        bytes32 group = keccak256(bytes(string.concat(prefix, Strings.toString(count / 256))));
        return _endingIn(group, count % 256);
    }

    function _isFree(SvcNonceManager manager, address wallet, bytes32 nonce, uint256 length)
        private
        view
        returns (bool)
    {
        for (uint256 i = 0; i < length; i++) {
            if (manager.submissionTokenOf(wallet, nonce) != bytes32(0)) return false;
            nonce = _next(nonce);
        }
        return true;
    }

    /// @dev The last byte stays, so that what the nonce manager keeps in one slot stays together.
    function _next(bytes32 nonce) private pure returns (bytes32) {
        uint256 last = uint8(uint256(nonce));
        return _endingIn(keccak256(abi.encodePacked(_endingIn(nonce, 0))), last);
    }

    function _endingIn(bytes32 nonce, uint256 last) private pure returns (bytes32) {
        return bytes32((uint256(nonce) & ~uint256(0xff)) | last);
    }
}
