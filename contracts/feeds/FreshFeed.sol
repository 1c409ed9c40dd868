// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPriceFeed} from "./IPriceFeed.sol";

/// @notice A feed that has only the present: it is always of the current block and knows one round, number 1. So no reader
/// ever finds it stale, whatever the clock does. What is left to a subclass is the answer.
abstract contract FreshFeed is IPriceFeed {
    /// @notice There is only round 1.
    error NoSuchRound(uint80 roundId);

    uint80 private constant ONLY_ROUND = 1;

    /// @inheritdoc IPriceFeed
    uint8 public immutable decimals;
    /// @inheritdoc IPriceFeed
    string public description;
    /// @inheritdoc IPriceFeed
    uint256 public constant version = 4;

    constructor(uint8 decimals_, string memory description_) {
        decimals = decimals_;
        description = description_;
    }

    /// @inheritdoc IPriceFeed
    function latestAnswer() public view virtual returns (int256);

    /// @inheritdoc IPriceFeed
    function latestRoundData() public view returns (uint80, int256, uint256, uint256, uint80) {
        return (ONLY_ROUND, latestAnswer(), block.timestamp, block.timestamp, ONLY_ROUND);
    }

    /// @inheritdoc IPriceFeed
    function getRoundData(uint80 id) external view returns (uint80, int256, uint256, uint256, uint80) {
        if (id != ONLY_ROUND) revert NoSuchRound(id);
        return latestRoundData();
    }

    /// @inheritdoc IPriceFeed
    function latestTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    /// @inheritdoc IPriceFeed
    function latestRound() external pure returns (uint256) {
        return ONLY_ROUND;
    }
}
