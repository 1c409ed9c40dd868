// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {ISvcWallet} from "./ISvcWallet.sol";

/// @title Script
/// @notice How a script is run, the same for a wallet and for the simulation of one.
library Script {
    /// @notice Runs a script in the place of the caller. A revert is passed on unchanged, also one without data.
    function run(address script, bytes memory data) internal returns (bytes memory) {
        if (script.code.length == 0) revert ISvcWallet.EmptyCode();
        if (!LowLevelCall.delegatecallNoReturn(script, data)) LowLevelCall.bubbleRevert();
        return LowLevelCall.returnData();
    }
}
