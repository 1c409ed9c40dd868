// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {PriceHub} from "./PriceHub.sol";

/// @notice Stands in for a feed or a Morpho oracle of a forked network once its price was moved: the price comes from the
/// price hub, as one round after the maker's last, of the current block. Whatever else is asked (decimals, description,
/// earlier rounds, settings of the maker's) is answered by the maker's own code, which is kept at another address and runs
/// on the storage that it always had. Nothing is written here, so that putting the maker's code back brings the feed back.
contract MovedFeed {
    /// @dev What is appended to this code where it stands. `quote` zero means USD.
    struct Parameters {
        PriceHub hub;
        bytes32 base;
        bytes32 quote;
        uint256 scale;
        address maker;
        uint80 round;
    }

    uint256 private constant ONE_USD = 1e8;

    /// @notice Everything that has nothing to do with the price.
    fallback() external {
        _askMaker();
    }

    /// @notice The answer of a feed.
    function latestAnswer() public view returns (int256) {
        return SafeCast.toInt256(price());
    }

    function latestRoundData() public view returns (uint80, int256, uint256, uint256, uint80) {
        uint80 round = _parameters().round;
        return (round, latestAnswer(), block.timestamp, block.timestamp, round);
    }

    /// @notice Earlier rounds are the maker's.
    function getRoundData(uint80 id) external returns (uint80, int256, uint256, uint256, uint80) {
        if (id != _parameters().round) _askMaker();
        return latestRoundData();
    }

    function latestTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function latestRound() external pure returns (uint256) {
        return _parameters().round;
    }

    /// @notice The answer of a Morpho oracle.
    function price() public view returns (uint256) {
        Parameters memory p = _parameters();
        uint256 quote = p.quote == 0 ? ONE_USD : p.hub.priceOf(p.quote);
        return Math.mulDiv(p.hub.priceOf(p.base), p.scale, quote);
    }

    function _parameters() private pure returns (Parameters memory) {
        bytes memory tail = new bytes(192);
        assembly ("memory-safe") {
            codecopy(add(tail, 32), sub(codesize(), 192), 192)
        }
        return abi.decode(tail, (Parameters));
    }

    /// @dev Ends the call with what the maker's code returns or reverts with.
    function _askMaker() private {
        address maker = _parameters().maker;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), maker, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if done { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}
