// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Token} from "../../tokens/Token.sol";

/// @notice A token that makes one call of its own during every transfer, once told which.
contract ReentrantToken is Token {
    address public target;
    bytes public data;

    constructor(address minter) Token("Reentrant", "REENT", 18, minter) {}

    function setCall(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (target == address(0)) return;
        (bool ok, bytes memory answer) = target.call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}
