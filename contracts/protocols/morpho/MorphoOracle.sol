// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {PriceHub} from "../../feeds/PriceHub.sol";

/// @notice The price of a Morpho Blue market's collateral in its loan token, read from the price hub at every call.
contract MorphoOracle {
    /// @notice The hub of prices.
    PriceHub public immutable hub;
    /// @notice The collateral's symbol in the hub.
    bytes32 public immutable baseSymbol;
    /// @notice The loan token's symbol in the hub; zero takes it for a dollar, as an oracle without a quote feed does.
    bytes32 public immutable quoteSymbol;
    /// @notice 1e(36 + loan token's decimals - collateral's decimals): the scale that Morpho Blue wants.
    uint256 public immutable scaleFactor;

    uint256 private constant ONE_USD = 1e8;

    constructor(
        PriceHub hub_,
        bytes32 baseSymbol_,
        bytes32 quoteSymbol_,
        uint256 loanDecimals,
        uint256 collateralDecimals
    ) {
        hub = hub_;
        baseSymbol = baseSymbol_;
        quoteSymbol = quoteSymbol_;
        scaleFactor = 10 ** (36 + loanDecimals - collateralDecimals);
    }

    /// @notice What one smallest unit of collateral costs in smallest units of the loan token, 1e36-scaled; rounded down.
    function price() external view returns (uint256) {
        uint256 quote = quoteSymbol == 0 ? ONE_USD : hub.priceOf(quoteSymbol);
        return Math.mulDiv(hub.priceOf(baseSymbol), scaleFactor, quote);
    }
}
