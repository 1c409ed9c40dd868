// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPriceFeed} from "../../feeds/IPriceFeed.sol";

/// @notice A price that a maker composes of a feed and a rate of its own, as the oracles of Morpho markets and the adapters
/// of Aave and Comet do. Has no rounds.
contract ComposedOracle {
    IPriceFeed public immutable underlying;
    uint256 public immutable numerator;
    uint256 public immutable denominator;
    /// @notice What the answer is cut to, as capped adapters do; zero for no cap.
    uint256 public immutable cap;
    uint8 public constant decimals = 8;

    constructor(IPriceFeed underlying_, uint256 numerator_, uint256 denominator_, uint256 cap_) {
        (underlying, numerator, denominator, cap) = (underlying_, numerator_, denominator_, cap_);
    }

    /// @notice As a Morpho oracle.
    function price() public view returns (uint256 answer) {
        (, int256 read,,,) = underlying.latestRoundData();
        answer = uint256(read) * numerator / denominator;
        if (cap != 0 && answer > cap) answer = cap;
    }

    /// @notice As an adapter of Aave.
    function latestAnswer() external view returns (int256) {
        return int256(price());
    }

    /// @notice As a feed of Comet.
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, int256(price()), block.timestamp, block.timestamp, 1);
    }
}
