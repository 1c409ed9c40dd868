// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Token} from "../../tokens/Token.sol";

/// @notice A token that, once told to, answers `false` and moves nothing instead of reverting.
contract FalseToken is Token {
    bool public isRefusing;

    constructor(address minter) Token("False", "FALSE", 6, minter) {}

    function setRefusing(bool isRefusing_) external {
        isRefusing = isRefusing_;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return !isRefusing && super.transfer(to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        return !isRefusing && super.transferFrom(from, to, amount);
    }
}
