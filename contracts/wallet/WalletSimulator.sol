// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {CallbackReceiver} from "./Callback.sol";
import {Script} from "./Script.sol";

/// @title WalletSimulator
/// @notice Stands at a wallet's address for the length of one `eth_call` (state override), to try scripts in the wallet's own
/// place before anything is signed or even deployed. Never deployed anywhere.
contract WalletSimulator is CallbackReceiver {
    receive() external payable {}

    /// @notice Runs scripts in order as the wallet would; a revert is passed on unchanged.
    function run(address[] calldata scripts, bytes[] calldata calldatas) external returns (bytes[] memory results) {
        results = new bytes[](scripts.length);
        for (uint256 i = 0; i < scripts.length; i++) {
            results[i] = Script.run(scripts[i], calldatas[i]);
        }
    }
}
