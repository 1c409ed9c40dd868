// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";

/// @title SvcScriptStore
/// @notice Stores scripts at addresses that depend on their creation code alone. Storing one twice does nothing.
contract SvcScriptStore {
    event ScriptStored(address indexed script);

    /// @notice Where the script of this creation code stands, or would stand.
    function addressOf(bytes calldata code) public view returns (address) {
        return Create2.computeAddress(bytes32(0), keccak256(code));
    }

    /// @notice Makes sure that the script stands.
    function store(bytes calldata code) external returns (address script) {
        script = addressOf(code);
        if (script.code.length > 0) return script;
        Create2.deploy(0, bytes32(0), code);
        emit ScriptStored(script);
    }
}
