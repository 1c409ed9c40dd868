// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ICometErrors} from "./ICometErrors.sol";

/// @notice The arithmetic of Compound III: principals and present values, scaled products, and how a change of principal divides
/// into repaying and supplying, or withdrawing and borrowing. Everything rounds down except where the name says otherwise.
/// Numbers that do not fit revert with the market's own errors.
library CometMath {
    /// @notice Scale of all factors and rates.
    uint64 internal constant FACTOR_SCALE = 1e18;
    /// @notice Scale of the base supply and borrow index.
    uint64 internal constant BASE_INDEX_SCALE = 1e15;

    /// @notice `n * factor`, the factor 1e18-scaled.
    function mulFactor(uint256 n, uint256 factor) internal pure returns (uint256) {
        return n * factor / FACTOR_SCALE;
    }

    /// @notice Value of `n` units of an asset with that scale, in the scale of the price.
    function mulPrice(uint256 n, uint256 price, uint64 fromScale) internal pure returns (uint256) {
        return n * price / fromScale;
    }

    /// @notice `mulPrice` of an amount that may be negative; rounds towards zero.
    function signedMulPrice(int256 n, uint256 price, uint64 fromScale) internal pure returns (int256) {
        return n * toInt256(price) / int256(uint256(fromScale));
    }

    /// @notice How many units of an asset with that scale a value is worth.
    function divPrice(uint256 value, uint256 price, uint64 toScale) internal pure returns (uint256) {
        return value * toScale / price;
    }

    /// @notice What a principal is worth at an index: for both sides rounded down.
    function presentAmount(uint64 index, uint104 principal) internal pure returns (uint256) {
        return uint256(principal) * index / BASE_INDEX_SCALE;
    }

    /// @notice The principal of a supplied amount, rounded down: the market never owes more than it got.
    function supplyPrincipal(uint64 index, uint256 amount) internal pure returns (uint104) {
        return toUint104(amount * BASE_INDEX_SCALE / index);
    }

    /// @notice The principal of a borrowed amount, rounded up: no debt is too small to be owed.
    function borrowPrincipalUp(uint64 index, uint256 amount) internal pure returns (uint104) {
        return toUint104(Math.ceilDiv(amount * BASE_INDEX_SCALE, index));
    }

    /// @notice Of a principal that rises, the part that pays back debt and the part that is supplied; (0, 0) when it falls.
    function repayAndSupply(int104 oldPrincipal, int104 newPrincipal) internal pure returns (uint104, uint104) {
        if (newPrincipal < oldPrincipal) return (0, 0);
        return (_below(oldPrincipal) - _below(newPrincipal), _above(newPrincipal) - _above(oldPrincipal));
    }

    /// @notice Of a principal that falls, the part that is withdrawn and the part that is borrowed; (0, 0) when it rises.
    function withdrawAndBorrow(int104 oldPrincipal, int104 newPrincipal) internal pure returns (uint104, uint104) {
        if (newPrincipal > oldPrincipal) return (0, 0);
        return (_above(oldPrincipal) - _above(newPrincipal), _below(newPrincipal) - _below(oldPrincipal));
    }

    /// @notice Reverts `InvalidUInt64` when it does not fit.
    function toUint64(uint256 n) internal pure returns (uint64) {
        if (n > type(uint64).max) revert ICometErrors.InvalidUInt64();
        return uint64(n);
    }

    /// @notice Reverts `InvalidUInt104` when it does not fit.
    function toUint104(uint256 n) internal pure returns (uint104) {
        if (n > type(uint104).max) revert ICometErrors.InvalidUInt104();
        return uint104(n);
    }

    /// @notice Reverts `InvalidUInt128` when it does not fit.
    function toUint128(uint256 n) internal pure returns (uint128) {
        if (n > type(uint128).max) revert ICometErrors.InvalidUInt128();
        return uint128(n);
    }

    /// @notice Reverts `InvalidInt104` when it does not fit.
    function toInt104(uint104 n) internal pure returns (int104) {
        if (n > uint104(type(int104).max)) revert ICometErrors.InvalidInt104();
        return int104(n);
    }

    /// @notice Reverts `InvalidInt256` when it does not fit.
    function toInt256(uint256 n) internal pure returns (int256) {
        if (n > uint256(type(int256).max)) revert ICometErrors.InvalidInt256();
        return int256(n);
    }

    /// @notice Reverts `NegativeNumber` below zero.
    function toUint256(int256 n) internal pure returns (uint256) {
        if (n < 0) revert ICometErrors.NegativeNumber();
        return uint256(n);
    }

    /// @dev How far a principal lies above zero.
    function _above(int104 principal) private pure returns (uint104) {
        return principal > 0 ? uint104(principal) : 0;
    }

    /// @dev How far a principal lies below zero.
    function _below(int104 principal) private pure returns (uint104) {
        return principal < 0 ? uint104(-principal) : 0;
    }
}
