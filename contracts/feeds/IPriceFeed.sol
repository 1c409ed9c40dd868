// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Chainlink's aggregator interface, version 3, with the older single-value getters that some protocols still use.
interface IPriceFeed {
    /// @notice Decimals of every answer.
    function decimals() external view returns (uint8);

    /// @notice The pair, for example `ETH / USD`.
    function description() external view returns (string memory);

    function version() external view returns (uint256);

    /// @notice The current price, when it came into being, and the round that it came from.
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);

    /// @notice A past round; reverts for a round that never was.
    function getRoundData(uint80 id)
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);

    function latestAnswer() external view returns (int256);

    function latestTimestamp() external view returns (uint256);

    function latestRound() external view returns (uint256);
}
