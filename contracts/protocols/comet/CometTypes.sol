// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// The structs of Compound III's external interface, and the two that this implementation is constructed from.

/// @notice How a market is set up. Factors and rates are 1e18-scaled; rates are per year, their slopes per unit of utilisation.
struct CometConfig {
    string name;
    string symbol;
    address governor;
    /// May pause, beside the governor; zero for none.
    address pauseGuardian;
    address baseToken;
    /// Chainlink interface, 8 decimals.
    address baseTokenPriceFeed;
    CometRates rates;
    /// Share of the liquidation penalty that buyers of seized collateral get as a discount.
    uint64 storeFrontPriceFactor;
    uint64 trackingIndexScale;
    /// Rewards per second for all suppliers together, in `trackingIndexScale`; likewise for borrowers.
    uint64 baseTrackingSupplySpeed;
    uint64 baseTrackingBorrowSpeed;
    /// Total below which a side earns no rewards.
    uint104 baseMinForRewards;
    /// Smallest debt that a borrow may leave.
    uint104 baseBorrowMin;
    /// Reserves from which on seized collateral is no longer for sale.
    uint104 targetReserves;
}

/// @notice The two interest rate curves, per year.
struct CometRates {
    uint64 supplyKink;
    uint64 supplySlopeLow;
    uint64 supplySlopeHigh;
    uint64 supplyBase;
    uint64 borrowKink;
    uint64 borrowSlopeLow;
    uint64 borrowSlopeHigh;
    uint64 borrowBase;
}

/// @notice A collateral asset as the constructor takes it.
struct AssetConfig {
    address asset;
    address priceFeed;
    uint8 decimals;
    uint64 borrowCollateralFactor;
    uint64 liquidateCollateralFactor;
    uint64 liquidationFactor;
    uint128 supplyCap;
}

/// @notice A collateral asset as `getAssetInfo` answers it. `scale` is 10 to the power of its decimals.
struct AssetInfo {
    uint8 offset;
    address asset;
    address priceFeed;
    uint64 scale;
    uint64 borrowCollateralFactor;
    uint64 liquidateCollateralFactor;
    uint64 liquidationFactor;
    uint128 supplyCap;
}

/// @notice The whole market's base side. Totals are principals: amounts as of an index of 1.
struct TotalsBasic {
    uint64 baseSupplyIndex;
    uint64 baseBorrowIndex;
    uint64 trackingSupplyIndex;
    uint64 trackingBorrowIndex;
    uint104 totalSupplyBase;
    uint104 totalBorrowBase;
    uint40 lastAccrualTime;
    uint8 pauseFlags;
}

struct TotalsCollateral {
    uint128 totalSupplyAsset;
    uint128 _reserved;
}

/// @notice One account's base side: a positive principal is supplied, a negative one borrowed. `assetsIn` has bit `i` set when
/// the account has collateral of asset `i`.
struct UserBasic {
    int104 principal;
    uint64 baseTrackingIndex;
    uint64 baseTrackingAccrued;
    uint16 assetsIn;
    uint8 _reserved;
}

struct UserCollateral {
    uint128 balance;
    uint128 _reserved;
}

struct LiquidatorPoints {
    uint32 numAbsorbs;
    uint64 numAbsorbed;
    uint128 approxSpend;
    uint32 _reserved;
}
