// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Token} from "../../tokens/Token.sol";

/// @notice A token of whose transfers the minter gets one percent.
contract FeeToken is Token {
    constructor(address minter) Token("Fee", "FEE", 18, minter) {}

    function _update(address from, address to, uint256 amount) internal override {
        uint256 fee = from == address(0) ? 0 : amount / 100;
        super._update(from, to, amount - fee);
        if (fee > 0) super._update(from, minter, fee);
    }
}
