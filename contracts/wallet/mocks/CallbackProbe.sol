// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Callback} from "../Callback.sol";

/// @title CallbackProbe
/// @notice Script for tests: lets a contract call the wallet back, and says what came.
contract CallbackProbe {
    event Called(uint256 value);

    address private immutable self = address(this);

    /// @notice Expects `expected`, and has `caller` call back with 1, 2, … up to `times`.
    function ask(address expected, CallbackCaller caller, uint256 times) external {
        Callback.expect(expected, self);
        caller.callBack(CallbackProbe(address(this)), times);
    }

    /// @notice What the callback runs: answers twice the value.
    function called(uint256 value) external returns (uint256) {
        emit Called(value);
        return value * 2;
    }
}

/// @title CallbackCaller
/// @notice Calls whom it is told to, and is told right answers.
contract CallbackCaller {
    error WrongAnswer(uint256 answer);

    function callBack(CallbackProbe wallet, uint256 times) external {
        for (uint256 value = 1; value <= times; value++) {
            uint256 answer = wallet.called(value);
            if (answer != value * 2) revert WrongAnswer(answer);
        }
    }
}
