// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IMorpho, Market, MarketParams} from "../interfaces/IMorpho.sol";
import {MorphoMath} from "../protocols/morpho/MorphoMath.sol";

/// @notice What the lens asks of a vault on Morpho Blue besides ERC-4626: which markets it lends on.
interface IMorphoVaultReads is IERC4626 {
    function withdrawQueueLength() external view returns (uint256);
    function withdrawQueue(uint256 index) external view returns (bytes32);
    function fee() external view returns (uint96);
}

/// @title VaultLens
/// @notice Reads a vault that lends on Morpho Blue and one account's part in it with a single call, with the interest up to now.
contract VaultLens {
    /// @param supplyRate What the vault earns after all fees at its markets' mean rates since their last updates, per second,
    /// 1e18-scaled, rounded down
    /// @param room What may still be deposited
    /// @param supplied What the account's shares are worth, rounded down
    /// @param withdrawable The same as far as the vault's markets have cash
    struct Reading {
        uint256 totalAssets;
        uint256 supplyRate;
        uint256 room;
        uint256 supplied;
        uint256 withdrawable;
    }

    uint256 private constant WAD = 1e18;

    function read(IMorpho morpho, IMorphoVaultReads vault, address account)
        external
        view
        returns (Reading memory reading)
    {
        reading.totalAssets = vault.totalAssets();
        if (reading.totalAssets > 0) reading.supplyRate = _earningsOf(morpho, vault) / reading.totalAssets;
        reading.room = vault.maxDeposit(account);
        uint256 shares = vault.balanceOf(account);
        // Most accounts are in few vaults, and each of these answers walks all markets of one.
        if (shares == 0) return reading;
        reading.supplied = vault.convertToAssets(shares);
        reading.withdrawable = vault.maxWithdraw(account);
    }

    /// @dev What the vault gains per second, in smallest units, 1e18-scaled. A market pays its lenders what its borrowers pay,
    /// less its fee.
    function _earningsOf(IMorpho morpho, IMorphoVaultReads vault) private view returns (uint256 sum) {
        uint256 length = vault.withdrawQueueLength();
        for (uint256 i = 0; i < length; i++) {
            bytes32 id = vault.withdrawQueue(i);
            MarketParams memory params = morpho.idToMarketParams(id);
            (Market memory market, uint256 rate) = MorphoMath.current(morpho, id, params);
            if (market.totalSupplyAssets == 0) continue;
            uint256 lent = MorphoMath.toAssets(morpho.position(id, address(vault)).supplyShares, market);
            uint256 paid = rate * market.totalBorrowAssets;
            sum += lent * (paid / market.totalSupplyAssets) * (WAD - market.fee) / WAD;
        }
        sum = sum * (WAD - _feeOf(vault)) / WAD;
    }

    /// @dev Vaults without a fee need not have the getter.
    function _feeOf(IMorphoVaultReads vault) private view returns (uint256) {
        try vault.fee() returns (uint96 fee) {
            return fee;
        } catch {
            return 0;
        }
    }
}
