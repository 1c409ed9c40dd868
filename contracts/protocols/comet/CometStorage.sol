// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IPriceFeed} from "../../feeds/IPriceFeed.sol";
import {CometMath} from "./CometMath.sol";
import {AssetConfig, AssetInfo, CometConfig, CometRates} from "./CometTypes.sol";
import {LiquidatorPoints, TotalsBasic, TotalsCollateral, UserBasic, UserCollateral} from "./CometTypes.sol";
import {ICometErrors} from "./ICometErrors.sol";
import {ICometEvents} from "./ICometEvents.sol";

/// @notice What a market is made of (parameters, fixed at construction) and what it remembers, with the getters of both.
abstract contract CometStorage is ICometEvents, ICometErrors {
    uint64 public constant factorScale = CometMath.FACTOR_SCALE;
    uint64 public constant baseIndexScale = CometMath.BASE_INDEX_SCALE;
    /// @notice Rewards are counted with six decimals, whatever the base token has.
    uint64 public constant baseAccrualScale = 1e6;
    uint64 public constant priceScale = 1e8;
    /// @notice As many as `assetsIn` has bits, less one.
    uint8 public constant maxAssets = 15;

    uint8 private constant PRICE_FEED_DECIMALS = 8;
    uint256 private constant SECONDS_PER_YEAR = 31_536_000;

    address public immutable governor;
    address public immutable pauseGuardian;
    address public immutable baseToken;
    address public immutable baseTokenPriceFeed;
    uint8 public immutable decimals;
    uint64 internal immutable _baseScale;
    uint8 public immutable numAssets;

    uint256 public immutable supplyKink;
    uint256 public immutable supplyPerSecondInterestRateSlopeLow;
    uint256 public immutable supplyPerSecondInterestRateSlopeHigh;
    uint256 public immutable supplyPerSecondInterestRateBase;
    uint256 public immutable borrowKink;
    uint256 public immutable borrowPerSecondInterestRateSlopeLow;
    uint256 public immutable borrowPerSecondInterestRateSlopeHigh;
    uint256 public immutable borrowPerSecondInterestRateBase;

    uint256 public immutable storeFrontPriceFactor;
    uint256 public immutable trackingIndexScale;
    uint256 public immutable baseTrackingSupplySpeed;
    uint256 public immutable baseTrackingBorrowSpeed;
    uint256 public immutable baseMinForRewards;
    uint256 public immutable baseBorrowMin;
    uint256 public immutable targetReserves;

    string public name;
    string public symbol;
    /// @notice The whole market's base side, as of its last accrual.
    TotalsBasic public totalsBasic;
    mapping(address asset => TotalsCollateral) public totalsCollateral;
    mapping(address account => UserBasic) public userBasic;
    mapping(address account => mapping(address asset => UserCollateral)) public userCollateral;
    /// @notice Whether a manager may act for an owner.
    mapping(address owner => mapping(address manager => bool)) public isAllowed;
    /// @notice The nonce of the next permission that an owner signs.
    mapping(address owner => uint256) public userNonce;
    mapping(address absorber => LiquidatorPoints) public liquidatorPoints;

    AssetInfo[] private _assets;
    bool private transient _entered;

    constructor(CometConfig memory config, AssetConfig[] memory assets) {
        name = config.name;
        symbol = config.symbol;
        governor = config.governor;
        pauseGuardian = config.pauseGuardian;
        baseToken = config.baseToken;
        baseTokenPriceFeed = config.baseTokenPriceFeed;

        _requireFeedDecimals(config.baseTokenPriceFeed);
        decimals = IERC20Metadata(config.baseToken).decimals();
        _baseScale = _scaleOf(decimals);
        // Rewards are scaled down from the base scale, so the base token cannot have fewer decimals than they.
        if (_baseScale < baseAccrualScale) revert BadDecimals();

        CometRates memory rates = config.rates;
        supplyKink = rates.supplyKink;
        supplyPerSecondInterestRateSlopeLow = rates.supplySlopeLow / SECONDS_PER_YEAR;
        supplyPerSecondInterestRateSlopeHigh = rates.supplySlopeHigh / SECONDS_PER_YEAR;
        supplyPerSecondInterestRateBase = rates.supplyBase / SECONDS_PER_YEAR;
        borrowKink = rates.borrowKink;
        borrowPerSecondInterestRateSlopeLow = rates.borrowSlopeLow / SECONDS_PER_YEAR;
        borrowPerSecondInterestRateSlopeHigh = rates.borrowSlopeHigh / SECONDS_PER_YEAR;
        borrowPerSecondInterestRateBase = rates.borrowBase / SECONDS_PER_YEAR;

        if (config.storeFrontPriceFactor > factorScale) revert BadDiscount();
        if (config.baseMinForRewards == 0) revert BadMinimum();
        storeFrontPriceFactor = config.storeFrontPriceFactor;
        trackingIndexScale = config.trackingIndexScale;
        baseTrackingSupplySpeed = config.baseTrackingSupplySpeed;
        baseTrackingBorrowSpeed = config.baseTrackingBorrowSpeed;
        baseMinForRewards = config.baseMinForRewards;
        baseBorrowMin = config.baseBorrowMin;
        targetReserves = config.targetReserves;

        if (assets.length > maxAssets) revert TooManyAssets();
        numAssets = uint8(assets.length);
        for (uint8 i = 0; i < assets.length; i++) _addAsset(i, assets[i]);

        totalsBasic.baseSupplyIndex = baseIndexScale;
        totalsBasic.baseBorrowIndex = baseIndexScale;
        totalsBasic.lastAccrualTime = uint40(block.timestamp);
    }

    modifier nonReentrant() {
        if (_entered) revert ReentrantCallBlocked();
        _entered = true;
        _;
        _entered = false;
    }

    /// @notice 10 to the power of the base token's decimals.
    function baseScale() external view returns (uint256) {
        return _baseScale;
    }

    /// @notice Collateral asset number `i`; reverts `BadAsset` when there are not so many.
    function getAssetInfo(uint8 i) public view returns (AssetInfo memory) {
        if (i >= numAssets) revert BadAsset();
        return _assets[i];
    }

    /// @notice The collateral asset with that address; reverts `BadAsset` when the market does not take it.
    function getAssetInfoByAddress(address asset) public view returns (AssetInfo memory) {
        for (uint8 i = 0; i < numAssets; i++) {
            if (_assets[i].asset == asset) return _assets[i];
        }
        revert BadAsset();
    }

    /// @notice The answer of a price feed, with 8 decimals; reverts `BadPrice` unless it is above zero.
    function getPrice(address priceFeed) public view returns (uint256) {
        (, int256 price,,,) = IPriceFeed(priceFeed).latestRoundData();
        if (price <= 0) revert BadPrice();
        return uint256(price);
    }

    function collateralBalanceOf(address account, address asset) external view returns (uint128) {
        return userCollateral[account][asset].balance;
    }

    /// @notice Rewards accrued by the account up to its last accrual, with six decimals.
    function baseTrackingAccrued(address account) external view returns (uint64) {
        return userBasic[account].baseTrackingAccrued;
    }

    function _addAsset(uint8 i, AssetConfig memory config) private {
        _requireFeedDecimals(config.priceFeed);
        if (IERC20Metadata(config.asset).decimals() != config.decimals) revert BadDecimals();
        if (config.borrowCollateralFactor >= config.liquidateCollateralFactor) revert BorrowCFTooLarge();
        if (config.liquidateCollateralFactor > factorScale) revert LiquidateCFTooLarge();
        if (config.liquidationFactor > factorScale) revert BadDiscount();
        _assets.push(
            AssetInfo({
                offset: i,
                asset: config.asset,
                priceFeed: config.priceFeed,
                scale: _scaleOf(config.decimals),
                borrowCollateralFactor: config.borrowCollateralFactor,
                liquidateCollateralFactor: config.liquidateCollateralFactor,
                liquidationFactor: config.liquidationFactor,
                supplyCap: config.supplyCap
            })
        );
    }

    function _requireFeedDecimals(address feed) private view {
        if (IPriceFeed(feed).decimals() != PRICE_FEED_DECIMALS) revert BadDecimals();
    }

    function _scaleOf(uint8 decimals_) private pure returns (uint64) {
        if (decimals_ > 18) revert BadDecimals();
        return uint64(10 ** decimals_);
    }
}
