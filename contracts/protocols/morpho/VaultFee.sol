// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @notice What a vault keeps of its interest: new shares worth that part of it go to a recipient whenever somebody deposits or
/// withdraws, or the fee changes. In between they are counted as if they were there. Names, and what becomes of losses, are those of
/// MetaMorpho 1.1: a share never falls, since what the markets lose still counts as the vault's.
abstract contract VaultFee is ERC4626, Ownable2Step {
    event SetFee(address indexed caller, uint256 newFee);
    event SetFeeRecipient(address indexed newFeeRecipient);
    event AccrueInterest(uint256 newTotalAssets, uint256 feeShares);
    event UpdateLastTotalAssets(uint256 updatedTotalAssets);
    event UpdateLostAssets(uint256 newLostAssets);

    error AlreadySet();
    error MaxFeeExceeded();
    error ZeroFeeRecipient();

    /// @notice The part of the interest that is kept, 1e18-scaled.
    uint96 public fee;
    /// @notice Gets the shares.
    address public feeRecipient;
    /// @notice What there was after the last deposit or withdrawal: everything beyond is interest.
    uint256 public lastTotalAssets;
    /// @notice What the markets have lost so far, and the vault counts as its own nevertheless.
    uint256 public lostAssets;

    uint256 private constant WAD = 1e18;
    uint256 private constant MAX_FEE = 0.5e18;

    /// @notice Keeps another part of the interest from now on, at most half of it.
    function setFee(uint256 newFee) external onlyOwner {
        if (newFee == fee) revert AlreadySet();
        if (newFee > MAX_FEE) revert MaxFeeExceeded();
        if (newFee != 0 && feeRecipient == address(0)) revert ZeroFeeRecipient();
        _accrueInterest();
        fee = uint96(newFee);
        emit SetFee(_msgSender(), newFee);
    }

    /// @notice Gives the shares to another from now on; to nobody only without a fee.
    function setFeeRecipient(address newFeeRecipient) external onlyOwner {
        if (newFeeRecipient == feeRecipient) revert AlreadySet();
        if (newFeeRecipient == address(0) && fee != 0) revert ZeroFeeRecipient();
        _accrueInterest();
        feeRecipient = newFeeRecipient;
        emit SetFeeRecipient(newFeeRecipient);
    }

    /// @inheritdoc ERC4626
    /// @notice Everything lent, with interest up to the current block, and what was lost.
    function totalAssets() public view override returns (uint256 total) {
        (, total,) = _accrued();
    }

    /// @dev Gives the recipient the shares of the interest up to now; returns what the vault has.
    function _accrueInterest() internal returns (uint256 total) {
        uint256 feeShares;
        uint256 lost;
        (feeShares, total, lost) = _accrued();
        _updateLastTotalAssets(total);
        lostAssets = lost;
        emit UpdateLostAssets(lost);
        if (feeShares != 0) _mint(feeRecipient, feeShares);
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
        (uint256 feeShares, uint256 total,) = _accrued();
        return _sharesOf(assets, totalSupply() + feeShares, total, rounding);
    }

    function _convertToAssets(uint256 shares, Math.Rounding rounding) internal view override returns (uint256) {
        (uint256 feeShares, uint256 total,) = _accrued();
        return _assetsOf(shares, totalSupply() + feeShares, total, rounding);
    }

    /// @dev What the markets owe the vault, with interest up to the current block.
    function _lentAssets() internal view virtual returns (uint256);

    /// @dev The shares that the fee on the interest is worth once they are there too, rounded down; what the vault has; and what of
    /// that is lost.
    function _accrued() private view returns (uint256 feeShares, uint256 total, uint256 lost) {
        uint256 lent = _lentAssets();
        lost = lent < lastTotalAssets - lostAssets ? lastTotalAssets - lent : lostAssets;
        total = lent + lost;
        uint256 feeAssets = Math.mulDiv(total - lastTotalAssets, fee, WAD);
        if (feeAssets != 0) feeShares = _sharesOf(feeAssets, totalSupply(), total - feeAssets, Math.Rounding.Floor);
    }
}
