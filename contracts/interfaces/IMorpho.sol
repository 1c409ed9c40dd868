// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice What a Morpho Blue market is made of; its id is the keccak256 of this, ABI-encoded.
struct MarketParams {
    address loanToken;
    address collateralToken;
    address oracle;
    address irm;
    uint256 lltv;
}

/// @notice A market's sums at `lastUpdate`; interest since then is not in them.
struct Market {
    uint128 totalSupplyAssets;
    uint128 totalSupplyShares;
    uint128 totalBorrowAssets;
    uint128 totalBorrowShares;
    uint128 lastUpdate;
    uint128 fee;
}

/// @notice An account's part in a market.
struct Position {
    uint256 supplyShares;
    uint128 borrowShares;
    uint128 collateral;
}

/// @notice What the simulator uses of Morpho Blue. Functions that take both `assets` and `shares` want exactly one of them to be
/// above zero. Failures are revert strings, for example "insufficient collateral".
interface IMorpho {
    function owner() external view returns (address);
    function isIrmEnabled(address irm) external view returns (bool);
    function isLltvEnabled(uint256 lltv) external view returns (bool);
    function isAuthorized(address authorizer, address authorized) external view returns (bool);
    function market(bytes32 id) external view returns (Market memory);
    function position(bytes32 id, address user) external view returns (Position memory);
    function idToMarketParams(bytes32 id) external view returns (MarketParams memory);

    function enableIrm(address irm) external;
    function enableLltv(uint256 lltv) external;
    function createMarket(MarketParams memory params) external;
    function accrueInterest(MarketParams memory params) external;
    function setAuthorization(address authorized, bool isAuthorized) external;

    function supply(MarketParams memory params, uint256 assets, uint256 shares, address onBehalf, bytes memory data)
        external
        returns (uint256 assetsSupplied, uint256 sharesSupplied);
    function withdraw(MarketParams memory params, uint256 assets, uint256 shares, address onBehalf, address receiver)
        external
        returns (uint256 assetsWithdrawn, uint256 sharesWithdrawn);
    function borrow(MarketParams memory params, uint256 assets, uint256 shares, address onBehalf, address receiver)
        external
        returns (uint256 assetsBorrowed, uint256 sharesBorrowed);
    function repay(MarketParams memory params, uint256 assets, uint256 shares, address onBehalf, bytes memory data)
        external
        returns (uint256 assetsRepaid, uint256 sharesRepaid);
    function supplyCollateral(MarketParams memory params, uint256 assets, address onBehalf, bytes memory data) external;
    function withdrawCollateral(MarketParams memory params, uint256 assets, address onBehalf, address receiver) external;
    function liquidate(
        MarketParams memory params,
        address borrower,
        uint256 seizedAssets,
        uint256 repaidShares,
        bytes memory data
    ) external returns (uint256 assetsSeized, uint256 assetsRepaid);
}
