// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Token} from "../../tokens/Token.sol";

/// @notice A token that keeps shares, three to a unit, as rebasing tokens do: no storage slot holds a balance.
contract ShareToken is Token {
    uint256 private constant SHARES = 3;

    constructor(address minter) Token("Share", "SHARE", 18, minter) {}

    function balanceOf(address account) public view override returns (uint256) {
        return super.balanceOf(account) / SHARES;
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount * SHARES);
    }
}
