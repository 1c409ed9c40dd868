// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FreshFeed} from "./FreshFeed.sol";

/// @notice A feed whose answer never changes, for an asset in terms of itself (ETH / ETH).
contract ConstantFeed is FreshFeed {
    int256 private immutable _answer;

    constructor(int256 answer, uint8 decimals_, string memory description_) FreshFeed(decimals_, description_) {
        _answer = answer;
    }

    /// @inheritdoc FreshFeed
    function latestAnswer() public view override returns (int256) {
        return _answer;
    }
}
