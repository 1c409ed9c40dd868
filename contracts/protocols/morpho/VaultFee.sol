// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @notice What a vault keeps of its interest: new shares worth that part of it go to a recipient whenever somebody deposits or
/// withdraws, or the fee changes. In between they are counted as if they were there. Names are those of MetaMorpho.
abstract contract VaultFee is ERC4626, Ownable2Step {
    event SetFee(address indexed caller, uint256 newFee);
    event SetFeeRecipient(address indexed newFeeRecipient);
    event AccrueInterest(uint256 newTotalAssets, uint256 feeShares);
    event UpdateLastTotalAssets(uint256 updatedTotalAssets);

    error AlreadySet();
    error MaxFeeExceeded();
    error ZeroFeeRecipient();

    /// @notice The part of the interest that is kept, 1e18-scaled.
    uint96 public fee;
    /// @notice Gets the shares.
    address public feeRecipient;
    /// @notice What there was after the last deposit or withdrawal: everything beyond is interest.
    uint256 public lastTotalAssets;

    uint256 private constant WAD = 1e18;
    uint256 private constant MAX_FEE = 0.5e18;

    /// @notice Keeps another part of the interest from now on, at most half of it.
    function setFee(uint256 newFee) external onlyOwner {
        if (newFee == fee) revert AlreadySet();
        if (newFee > MAX_FEE) revert MaxFeeExceeded();
        if (newFee != 0 && feeRecipient == address(0)) revert ZeroFeeRecipient();
        _updateLastTotalAssets(_accrueFee());
        fee = uint96(newFee);
        emit SetFee(_msgSender(), newFee);
    }

    /// @notice Gives the shares to another from now on; to nobody only without a fee.
    function setFeeRecipient(address newFeeRecipient) external onlyOwner {
        if (newFeeRecipient == feeRecipient) revert AlreadySet();
        if (newFeeRecipient == address(0) && fee != 0) revert ZeroFeeRecipient();
        _updateLastTotalAssets(_accrueFee());
        feeRecipient = newFeeRecipient;
        emit SetFeeRecipient(newFeeRecipient);
    }

    /// @dev Gives the recipient the shares of the interest up to now; returns what the vault has.
    function _accrueFee() internal returns (uint256 total) {
        uint256 feeShares;
        (feeShares, total) = _accrued();
        if (feeShares != 0) _mint(feeRecipient, feeShares);
        lastTotalAssets = total;
        emit AccrueInterest(total, feeShares);
    }

    function _updateLastTotalAssets(uint256 total) internal {
        lastTotalAssets = total;
        emit UpdateLastTotalAssets(total);
    }

    /// @dev What shares are of assets when there are so many of both.
    function _sharesOf(uint256 assets, uint256 supply, uint256 total, Math.Rounding rounding)
        internal
        view
        returns (uint256)
    {
        return Math.mulDiv(assets, supply + 10 ** _decimalsOffset(), total + 1, rounding);
    }

    /// @dev What assets are of shares when there are so many of both.
    function _assetsOf(uint256 shares, uint256 supply, uint256 total, Math.Rounding rounding)
        internal
        view
        returns (uint256)
    {
        return Math.mulDiv(shares, total + 1, supply + 10 ** _decimalsOffset(), rounding);
    }

    function _convertToShares(uint256 assets, Math.Rounding rounding) internal view override returns (uint256) {
        (uint256 feeShares, uint256 total) = _accrued();
        return _sharesOf(assets, totalSupply() + feeShares, total, rounding);
    }

    function _convertToAssets(uint256 shares, Math.Rounding rounding) internal view override returns (uint256) {
        (uint256 feeShares, uint256 total) = _accrued();
        return _assetsOf(shares, totalSupply() + feeShares, total, rounding);
    }

    /// @dev The shares that the fee on the interest is worth once they are there too, rounded down, and what the vault has.
    function _accrued() private view returns (uint256 feeShares, uint256 total) {
        total = totalAssets();
        uint256 feeAssets = Math.mulDiv(Math.saturatingSub(total, lastTotalAssets), fee, WAD);
        if (feeAssets != 0) feeShares = _sharesOf(feeAssets, totalSupply(), total - feeAssets, Math.Rounding.Floor);
    }
}
