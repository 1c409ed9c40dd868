// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAaveDataProvider} from "../interfaces/IAave.sol";

/// @title AaveLens
/// @notice Reads a reserve of an Aave V3 pool and one account's part in it with a single call, through getters that all versions
/// of Aave V3 share.
contract AaveLens {
    /// @param totalSupply With interest up to now, as all sums; smallest units
    /// @param supplyRate Per year, 1e27-scaled, as the other rate
    /// @param cash What the reserve has not lent out
    /// @param accruedToTreasury Smallest units, of the last update; counts towards the supply cap
    /// @param supplyCap In whole tokens, as the other cap; 0 is none
    /// @param ltv Basis points, as the two after it
    struct Reserve {
        uint256 totalSupply;
        uint256 totalBorrow;
        uint256 supplyRate;
        uint256 borrowRate;
        uint256 cash;
        uint256 accruedToTreasury;
        uint256 supplyCap;
        uint256 borrowCap;
        uint256 ltv;
        uint256 liquidationThreshold;
        uint256 liquidationBonus;
        bool isActive;
        bool isFrozen;
        bool isPaused;
        bool isBorrowable;
    }

    struct Position {
        uint256 supplied;
        uint256 borrowed;
        bool isCollateral;
    }

    uint256 private constant RAY = 1e27;

    function read(IAaveDataProvider provider, address asset, address aToken, address account)
        external
        view
        returns (Reserve memory reserve, Position memory position)
    {
        _readSums(provider, asset, reserve);
        _readConfiguration(provider, asset, reserve);
        (reserve.borrowCap, reserve.supplyCap) = provider.getReserveCaps(asset);
        reserve.cash = IERC20(asset).balanceOf(aToken);
        reserve.isPaused = provider.getPaused(asset);
        (position.supplied,, position.borrowed,,,,,, position.isCollateral) = provider.getUserReserveData(asset, account);
    }

    function _readSums(IAaveDataProvider provider, address asset, Reserve memory reserve) private view {
        uint256 scaledTreasury;
        uint256 index;
        (
            ,
            scaledTreasury,
            reserve.totalSupply,,
            reserve.totalBorrow,
            reserve.supplyRate,
            reserve.borrowRate,,,
            index,,
        ) = provider.getReserveData(asset);
        reserve.accruedToTreasury = scaledTreasury * index / RAY;
    }

    function _readConfiguration(IAaveDataProvider provider, address asset, Reserve memory reserve) private view {
        (
            ,
            reserve.ltv,
            reserve.liquidationThreshold,
            reserve.liquidationBonus,,,
            reserve.isBorrowable,,
            reserve.isActive,
            reserve.isFrozen
        ) = provider.getReserveConfigurationData(asset);
    }
}
