// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice What the simulator uses of an Aave V3 pool. Interest rate mode 2 is the variable one, the only one that reserves
/// offer. An amount of type(uint256).max means all of it in `withdraw` and `repay`. Failures are revert strings with a number.
interface IAavePool {
    /// @notice Sums in dollars with 8 decimals, factors in basis points, the health factor 1e18-scaled.
    function getUserAccountData(address user)
        external
        view
        returns (
            uint256 totalCollateralBase,
            uint256 totalDebtBase,
            uint256 availableBorrowsBase,
            uint256 currentLiquidationThreshold,
            uint256 ltv,
            uint256 healthFactor
        );
    function getReservesList() external view returns (address[] memory);
    /// @notice What one unit supplied at the start has become, 1e27-scaled, up to the current block.
    function getReserveNormalizedIncome(address asset) external view returns (uint256);
    /// @notice What one unit borrowed at the start has become, 1e27-scaled, up to the current block.
    function getReserveNormalizedVariableDebt(address asset) external view returns (uint256);

    function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode) external;
    function withdraw(address asset, uint256 amount, address to) external returns (uint256);
    function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)
        external;
    function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)
        external
        returns (uint256);
    function setUserUseReserveAsCollateral(address asset, bool useAsCollateral) external;
    function liquidationCall(
        address collateralAsset,
        address debtAsset,
        address user,
        uint256 debtToCover,
        bool receiveAToken
    ) external;
}

/// @notice What the simulator reads about a reserve. These getters are the same on all versions of Aave V3.
interface IAaveDataProvider {
    /// @notice Rates are 1e27-scaled per year, sums in the asset's smallest unit.
    function getReserveData(address asset)
        external
        view
        returns (
            uint256 unbacked,
            uint256 accruedToTreasuryScaled,
            uint256 totalAToken,
            uint256 totalStableDebt,
            uint256 totalVariableDebt,
            uint256 liquidityRate,
            uint256 variableBorrowRate,
            uint256 stableBorrowRate,
            uint256 averageStableBorrowRate,
            uint256 liquidityIndex,
            uint256 variableBorrowIndex,
            uint40 lastUpdateTimestamp
        );
    /// @notice Factors in basis points.
    function getReserveConfigurationData(address asset)
        external
        view
        returns (
            uint256 decimals,
            uint256 ltv,
            uint256 liquidationThreshold,
            uint256 liquidationBonus,
            uint256 reserveFactor,
            bool usageAsCollateralEnabled,
            bool borrowingEnabled,
            bool stableBorrowRateEnabled,
            bool isActive,
            bool isFrozen
        );
    /// @notice In whole tokens; 0 is no cap.
    function getReserveCaps(address asset) external view returns (uint256 borrowCap, uint256 supplyCap);
    function getReserveTokensAddresses(address asset)
        external
        view
        returns (address aToken, address stableDebtToken, address variableDebtToken);
    function getPaused(address asset) external view returns (bool isPaused);
    /// @notice An account's part in a reserve with interest up to the current block, smallest units.
    function getUserReserveData(address asset, address user)
        external
        view
        returns (
            uint256 currentATokenBalance,
            uint256 currentStableDebt,
            uint256 currentVariableDebt,
            uint256 principalStableDebt,
            uint256 scaledVariableDebt,
            uint256 stableBorrowRate,
            uint256 liquidityRate,
            uint40 stableRateLastUpdated,
            bool usageAsCollateralEnabled
        );
}

/// @notice How Aave V3 from 3.4 on says what versions before said as a number: the failures that an account's own calls can meet.
interface IAaveErrors {
    error InvalidMintAmount();
    error InvalidBurnAmount();
    error InvalidAmount();
    error ReserveInactive();
    error ReserveFrozen();
    error ReservePaused();
    error BorrowingNotEnabled();
    error NotEnoughAvailableUserBalance();
    error HealthFactorLowerThanLiquidationThreshold();
    error CollateralCannotCoverNewBorrow();
    error NoDebtOfSelectedType();
    error UnderlyingBalanceZero();
    error HealthFactorNotBelowThreshold();
    error BorrowCapExceeded();
    error SupplyCapExceeded();
    error LtvValidationFailed();
    error UserInIsolationModeOrLtvZero();
    error AssetNotListed();
}
