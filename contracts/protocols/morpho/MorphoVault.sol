// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IMorpho, Market, MarketParams} from "../../interfaces/IMorpho.sol";
import {MorphoMath} from "./MorphoMath.sol";
import {ShareTime} from "./ShareTime.sol";
import {VaultFee} from "./VaultFee.sol";

/// @notice A vault (ERC-4626) whose assets are lent on Morpho Blue markets in a fixed order: deposits fill the markets up to
/// their caps, withdrawals empty them as far as they have cash. Shares have 18 decimals. Its owner sets the fee, and has nothing
/// else to govern; the getters in capitals and the queues are named as on the vaults that it stands for.
contract MorphoVault is ShareTime, VaultFee, ERC20Permit {
    using SafeERC20 for IERC20;

    /// @notice A market of the vault lends another token than the vault's asset.
    error InconsistentAsset(bytes32 id);
    /// @notice The markets take less under their caps than was deposited.
    error AllCapsReached();
    /// @notice The markets have less in cash than was to be withdrawn.
    error NotEnoughLiquidity();

    /// @notice A market of the vault and how much the vault may have in it.
    struct Allocation {
        bytes32 id;
        uint184 cap;
    }

    /// @notice The lending protocol.
    IMorpho public immutable MORPHO;
    Allocation[] private _allocations;
    uint8 private immutable _offset;

    constructor(
        address owner_,
        IERC20 asset_,
        string memory name_,
        string memory symbol_,
        IMorpho morpho,
        Allocation[] memory allocations
    ) ERC20(name_, symbol_) ERC20Permit(name_) ERC4626(asset_) Ownable(owner_) {
        MORPHO = morpho;
        _offset = 18 - IERC20Metadata(address(asset_)).decimals();
        for (uint256 i = 0; i < allocations.length; i++) {
            bytes32 id = allocations[i].id;
            if (morpho.idToMarketParams(id).loanToken != address(asset_)) revert InconsistentAsset(id);
            _allocations.push(allocations[i]);
        }
        asset_.forceApprove(address(morpho), type(uint256).max);
    }

    /// @notice How many markets deposits may go to.
    function supplyQueueLength() external view returns (uint256) {
        return _allocations.length;
    }

    /// @notice How many markets withdrawals may come from: the same ones.
    function withdrawQueueLength() external view returns (uint256) {
        return _allocations.length;
    }

    /// @notice The id of the market that is filled as number `index`.
    function supplyQueue(uint256 index) external view returns (bytes32) {
        return _allocations[index].id;
    }

    /// @notice The id of the market that is emptied as number `index`.
    function withdrawQueue(uint256 index) external view returns (bytes32) {
        return _allocations[index].id;
    }

    /// @notice What the vault may have in a market; all zero for a market that is none of its own.
    function config(bytes32 id) external view returns (uint184 cap, bool enabled, uint64 removableAt) {
        for (uint256 i = 0; i < _allocations.length; i++) {
            if (_allocations[i].id == id) return (_allocations[i].cap, true, 0);
        }
    }

    /// @inheritdoc ERC4626
    /// @notice The room under the caps, rounded down.
    function maxDeposit(address) public view override returns (uint256 room) {
        for (uint256 i = 0; i < _allocations.length; i++) {
            room += _roomIn(_allocations[i]);
        }
    }

    /// @inheritdoc ERC4626
    function maxMint(address receiver) public view override returns (uint256) {
        return _convertToShares(maxDeposit(receiver), Math.Rounding.Floor);
    }

    /// @inheritdoc ERC4626
    /// @notice The owner's assets as far as the markets have cash.
    function maxWithdraw(address holder) public view override returns (uint256) {
        return Math.min(_convertToAssets(balanceOf(holder), Math.Rounding.Floor), _liquidity());
    }

    /// @inheritdoc ERC4626
    /// @notice What `maxWithdraw` is of shares, rounded down, which may be less than the holder has.
    function maxRedeem(address holder) public view override returns (uint256) {
        return _convertToShares(maxWithdraw(holder), Math.Rounding.Floor);
    }

    // None of the four asks for its maximum first, as on the vaults that it stands for: what is too much fails on the way.

    /// @inheritdoc ERC4626
    function deposit(uint256 assets, address receiver) public override returns (uint256 shares) {
        uint256 total = _accrueInterest();
        shares = _sharesOf(assets, totalSupply(), total, Math.Rounding.Floor);
        _deposit(_msgSender(), receiver, assets, shares);
    }

    /// @inheritdoc ERC4626
    function mint(uint256 shares, address receiver) public override returns (uint256 assets) {
        uint256 total = _accrueInterest();
        assets = _assetsOf(shares, totalSupply(), total, Math.Rounding.Ceil);
        _deposit(_msgSender(), receiver, assets, shares);
    }

    /// @inheritdoc ERC4626
    function withdraw(uint256 assets, address receiver, address holder) public override returns (uint256 shares) {
        uint256 total = _accrueInterest();
        shares = _sharesOf(assets, totalSupply(), total, Math.Rounding.Ceil);
        _withdraw(_msgSender(), receiver, holder, assets, shares);
    }

    /// @inheritdoc ERC4626
    function redeem(uint256 shares, address receiver, address holder) public override returns (uint256 assets) {
        uint256 total = _accrueInterest();
        assets = _assetsOf(shares, totalSupply(), total, Math.Rounding.Floor);
        _withdraw(_msgSender(), receiver, holder, assets, shares);
    }

    /// @inheritdoc ERC4626
    function decimals() public view override(ERC20, ERC4626) returns (uint8) {
        return ERC4626.decimals();
    }

    function _update(address from, address to, uint256 value) internal override(ShareTime, ERC20) {
        ShareTime._update(from, to, value);
    }

    function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal override {
        super._deposit(caller, receiver, assets, shares);
        uint256 left = assets;
        for (uint256 i = 0; i < _allocations.length && left > 0; i++) {
            uint256 part = Math.min(left, _roomIn(_allocations[i]));
            if (part == 0) continue;
            MORPHO.supply(MORPHO.idToMarketParams(_allocations[i].id), part, 0, address(this), "");
            left -= part;
        }
        if (left != 0) revert AllCapsReached();
        _updateLastTotalAssets(lastTotalAssets + assets);
    }

    function _withdraw(address caller, address receiver, address holder, uint256 assets, uint256 shares)
        internal
        override
    {
        _updateLastTotalAssets(Math.saturatingSub(lastTotalAssets, assets));
        uint256 left = assets;
        for (uint256 i = 0; i < _allocations.length && left > 0; i++) {
            (uint256 lent, uint256 cash) = _holdings(_allocations[i].id);
            uint256 part = Math.min(left, Math.min(lent, cash));
            if (part == 0) continue;
            MORPHO.withdraw(MORPHO.idToMarketParams(_allocations[i].id), part, 0, address(this), address(this));
            left -= part;
        }
        if (left != 0) revert NotEnoughLiquidity();
        super._withdraw(caller, receiver, holder, assets, shares);
    }

    /// @inheritdoc VaultFee
    function _lentAssets() internal view override returns (uint256 total) {
        for (uint256 i = 0; i < _allocations.length; i++) {
            (uint256 lent,) = _holdings(_allocations[i].id);
            total += lent;
        }
    }

    /// @dev What a market may still get: rounded down, since what it has is rounded up.
    function _roomIn(Allocation memory allocation) private view returns (uint256) {
        (Market memory market,) = MorphoMath.current(MORPHO, allocation.id, MORPHO.idToMarketParams(allocation.id));
        uint256 shares = MORPHO.position(allocation.id, address(this)).supplyShares;
        return Math.saturatingSub(allocation.cap, MorphoMath.suppliedUp(shares, market));
    }

    /// @dev What all markets could pay out to the vault at once.
    function _liquidity() private view returns (uint256 sum) {
        for (uint256 i = 0; i < _allocations.length; i++) {
            (uint256 lent, uint256 cash) = _holdings(_allocations[i].id);
            sum += Math.min(lent, cash);
        }
    }

    /// @dev What the vault has in a market now, and what the market has in cash.
    function _holdings(bytes32 id) private view returns (uint256 lent, uint256 cash) {
        (Market memory market,) = MorphoMath.current(MORPHO, id, MORPHO.idToMarketParams(id));
        lent = MorphoMath.toAssets(MORPHO.position(id, address(this)).supplyShares, market);
        cash = market.totalSupplyAssets - market.totalBorrowAssets;
    }

    /// @dev Shares have 18 decimals whatever the asset has; the extra ones also make share inflation costly.
    function _decimalsOffset() internal view override returns (uint8) {
        return _offset;
    }
}
