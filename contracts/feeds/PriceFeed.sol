// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {FreshFeed} from "./FreshFeed.sol";
import {PriceHub} from "./PriceHub.sol";

/// @notice The price of one symbol in USD or in another symbol, read from the price hub at every call. Keeps nothing itself,
/// so that a price set in the hub is seen by all feeds at once.
contract PriceFeed is FreshFeed {
    /// @notice The hub of prices.
    PriceHub public immutable hub;
    /// @notice What is priced.
    bytes32 public immutable baseSymbol;
    /// @notice What it is priced in; zero means USD.
    bytes32 public immutable quoteSymbol;

    uint256 private constant ONE_USD = 1e8;

    constructor(PriceHub hub_, bytes32 baseSymbol_, bytes32 quoteSymbol_, uint8 decimals_, string memory description_)
        FreshFeed(decimals_, description_)
    {
        hub = hub_;
        baseSymbol = baseSymbol_;
        quoteSymbol = quoteSymbol_;
    }

    /// @notice The price of the base symbol divided by that of the quote symbol, rounded down. Reverts with the hub's
    /// `UnknownSymbol` when one of them has none.
    function latestAnswer() public view override returns (int256) {
        uint256 quote = quoteSymbol == 0 ? ONE_USD : hub.priceOf(quoteSymbol);
        return SafeCast.toInt256(Math.mulDiv(hub.priceOf(baseSymbol), 10 ** decimals, quote));
    }
}
