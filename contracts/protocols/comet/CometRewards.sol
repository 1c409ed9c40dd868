// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Comet} from "./Comet.sol";

/// @notice Pays what Comet markets count as rewards, out of its own balance, with the external interface of Compound III's
/// rewards contract. A market counts with six decimals; here that becomes an amount of the reward token.
contract CometRewards {
    using SafeERC20 for IERC20;

    struct RewardConfig {
        address token;
        uint64 rescaleFactor;
        bool shouldUpscale;
    }

    struct RewardOwed {
        address token;
        uint256 owed;
    }

    event GovernorTransferred(address indexed oldGovernor, address indexed newGovernor);
    event RewardClaimed(address indexed src, address indexed recipient, address indexed token, uint256 amount);

    error AlreadyConfigured(address comet);
    /// @notice The caller is neither the governor nor, when claiming, a manager of the account.
    error NotPermitted(address caller);
    /// @notice The market has no reward token here.
    error NotSupported(address comet);

    address public governor;
    mapping(address comet => RewardConfig) public rewardConfig;
    /// @notice Reward tokens that the account has had from the market, ever.
    mapping(address comet => mapping(address account => uint256)) public rewardsClaimed;

    constructor(address governor_) {
        governor = governor_;
    }

    modifier onlyGovernor() {
        if (msg.sender != governor) revert NotPermitted(msg.sender);
        _;
    }

    /// @notice Sets the reward token of a market, once.
    function setRewardConfig(address comet, address token) external onlyGovernor {
        if (rewardConfig[comet].token != address(0)) revert AlreadyConfigured(comet);
        uint64 accrualScale = Comet(comet).baseAccrualScale();
        uint64 tokenScale = SafeCast.toUint64(10 ** IERC20Metadata(token).decimals());
        rewardConfig[comet] = tokenScale < accrualScale
            ? RewardConfig(token, accrualScale / tokenScale, false)
            : RewardConfig(token, tokenScale / accrualScale, true);
    }

    /// @notice Takes reward tokens back.
    function withdrawToken(address token, address to, uint256 amount) external onlyGovernor {
        IERC20(token).safeTransfer(to, amount);
    }

    function transferGovernor(address newGovernor) external onlyGovernor {
        emit GovernorTransferred(governor, newGovernor);
        governor = newGovernor;
    }

    /// @notice What the account could claim now. Not a view: it accrues the account first, so ask with `eth_call`.
    function getRewardOwed(address comet, address account) external returns (RewardOwed memory) {
        RewardConfig memory config = _configOf(comet);
        Comet(comet).accrueAccount(account);
        return RewardOwed(config.token, _owed(comet, account, config));
    }

    /// @notice Pays `src` what it is owed; anyone may ask for it. Without `shouldAccrue` only up to its last accrual.
    function claim(address comet, address src, bool shouldAccrue) external {
        _claim(comet, src, src, shouldAccrue);
    }

    /// @notice Pays what `src` is owed to `to`; `src` and its managers in the market may.
    function claimTo(address comet, address src, address to, bool shouldAccrue) external {
        if (!Comet(comet).hasPermission(src, msg.sender)) revert NotPermitted(msg.sender);
        _claim(comet, src, to, shouldAccrue);
    }

    function _claim(address comet, address src, address to, bool shouldAccrue) private {
        RewardConfig memory config = _configOf(comet);
        if (shouldAccrue) Comet(comet).accrueAccount(src);
        uint256 owed = _owed(comet, src, config);
        if (owed == 0) return;
        rewardsClaimed[comet][src] += owed;
        IERC20(config.token).safeTransfer(to, owed);
        emit RewardClaimed(src, to, config.token, owed);
    }

    function _owed(address comet, address account, RewardConfig memory config) private view returns (uint256) {
        uint256 counted = Comet(comet).baseTrackingAccrued(account);
        uint256 accrued = config.shouldUpscale ? counted * config.rescaleFactor : counted / config.rescaleFactor;
        uint256 claimed = rewardsClaimed[comet][account];
        return accrued > claimed ? accrued - claimed : 0;
    }

    function _configOf(address comet) private view returns (RewardConfig memory config) {
        config = rewardConfig[comet];
        if (config.token == address(0)) revert NotSupported(comet);
    }
}
