// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {IPriceFeed} from "../feeds/IPriceFeed.sol";

/// @notice Where the aggregator's quotes settle: swaps at the price of the feeds, less a spread and an impact that grows with
/// the size, out of its own inventory. While prices, parameters and inventory stay the same, a swap gives exactly its quote.
///
/// With the notional `n` in USD and the virtual depth `D`, a taker gets the value `n * D / (D + n)`, less the spread. Exact out
/// is the inverse of exact in, and every step rounds against the taker, so a round trip never wins. The depth is virtual: a
/// swap does not use it up, and many small swaps have less impact than one large one.
contract Exchange {
    using SafeERC20 for IERC20;
    using Math for uint256;

    event Swapped(
        address indexed sender,
        address indexed sellToken,
        address indexed buyToken,
        uint256 sellAmount,
        uint256 buyAmount,
        address recipient
    );
    event FeedSet(address indexed token, IPriceFeed feed);
    event ParametersSet(uint256 spreadBps, uint256 depthUsdE8);

    error NotAdmin(address caller, address admin);
    /// @notice The token has no feed here.
    error UnsupportedToken(address token);
    error SameToken(address token);
    /// @notice The amount is zero, or so small that it buys less than one smallest unit.
    error ZeroAmount();
    /// @notice The exchange holds less than was asked for, or the depth ends before it.
    error InsufficientLiquidity(address token, uint256 requested, uint256 available);
    error InsufficientOutput(uint256 got, uint256 minimum);
    error ExcessiveInput(uint256 needed, uint256 maximum);
    /// @notice The feed's answer is not above zero.
    error InvalidPrice(address token, int256 answer);
    /// @notice A feed must have 8 decimals.
    error InvalidFeed(IPriceFeed feed, uint8 decimals);
    /// @notice The spread must be below 10,000 basis points, the depth above zero.
    error InvalidParameters(uint256 spreadBps, uint256 depthUsdE8);
    /// @notice The native tokens sent are not those that are sold; nothing is sent when an ERC-20 is sold.
    error WrongValue(uint256 sent, uint256 needed);

    struct Listing {
        IPriceFeed feed;
        uint8 decimals;
    }

    /// @notice Stands for the native token.
    address public constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    /// @dev Values inside are USD with 8 + 18 decimals: fine enough that 18-decimal tokens lose nothing to rounding.
    uint256 private constant VALUE_SCALE = 1e18;
    uint256 private constant BPS = 10_000;
    uint8 private constant FEED_DECIMALS = 8;

    address public immutable admin;
    /// @notice Part of the value that the exchange keeps, in basis points.
    uint256 public spreadBps = 5;
    /// @notice Virtual depth in USD with 8 decimals: 100 million at first, so that 100,000 USD move the price by 0.1 %.
    uint256 public depthUsdE8 = 100_000_000e8;
    mapping(address token => Listing) private _listings;

    constructor(address admin_) {
        admin = admin_;
    }

    /// @notice Takes native tokens into the inventory.
    receive() external payable {}

    modifier onlyAdmin() {
        if (msg.sender != admin) revert NotAdmin(msg.sender, admin);
        _;
    }

    /// @notice Lists `token` at the price of `feed` (USD, 8 decimals), or unlists it when `feed` is zero.
    function setFeed(address token, IPriceFeed feed) external onlyAdmin {
        if (address(feed) == address(0)) {
            delete _listings[token];
        } else {
            uint8 feedDecimals = feed.decimals();
            if (feedDecimals != FEED_DECIMALS) revert InvalidFeed(feed, feedDecimals);
            _listings[token] = Listing(feed, token == NATIVE ? 18 : IERC20Metadata(token).decimals());
        }
        emit FeedSet(token, feed);
    }

    function setParameters(uint256 spreadBps_, uint256 depthUsdE8_) external onlyAdmin {
        if (spreadBps_ >= BPS || depthUsdE8_ == 0) revert InvalidParameters(spreadBps_, depthUsdE8_);
        spreadBps = spreadBps_;
        depthUsdE8 = depthUsdE8_;
        emit ParametersSet(spreadBps_, depthUsdE8_);
    }

    /// @notice Takes `amount` of `token` out of the inventory.
    function withdraw(address token, uint256 amount, address to) external onlyAdmin {
        _requireInventory(token, amount);
        _pay(token, to, amount);
    }

    /// @notice The feed of `token`, zero when it is not listed.
    function feedOf(address token) external view returns (IPriceFeed) {
        return _listings[token].feed;
    }

    /// @notice What `sellAmount` buys, rounded down.
    function quoteExactIn(address sellToken, address buyToken, uint256 sellAmount)
        public
        view
        returns (uint256 buyAmount)
    {
        (uint256 sellUnit, uint256 sellPrice, uint256 buyUnit, uint256 buyPrice) = _pair(sellToken, buyToken, sellAmount);
        uint256 depth = depthUsdE8 * VALUE_SCALE;
        uint256 value = sellAmount.mulDiv(sellPrice, sellUnit);
        value = value.mulDiv(depth, depth + value);
        value = value.mulDiv(BPS - spreadBps, BPS);
        buyAmount = value.mulDiv(buyUnit, buyPrice);
        if (buyAmount == 0) revert ZeroAmount();
        _requireInventory(buyToken, buyAmount);
    }

    /// @notice What has to be sold for `buyAmount`, rounded up: the smallest amount whose exact-in quote is at least that.
    function quoteExactOut(address sellToken, address buyToken, uint256 buyAmount)
        public
        view
        returns (uint256 sellAmount)
    {
        (uint256 sellUnit, uint256 sellPrice, uint256 buyUnit, uint256 buyPrice) = _pair(sellToken, buyToken, buyAmount);
        _requireInventory(buyToken, buyAmount);
        uint256 depth = depthUsdE8 * VALUE_SCALE;
        uint256 value = buyAmount.mulDiv(buyPrice, buyUnit, Math.Rounding.Ceil);
        value = value.mulDiv(BPS, BPS - spreadBps, Math.Rounding.Ceil);
        if (value >= depth) revert InsufficientLiquidity(buyToken, buyAmount, _withinDepth(depth, buyUnit, buyPrice));
        value = value.mulDiv(depth, depth - value, Math.Rounding.Ceil);
        sellAmount = value.mulDiv(sellUnit, sellPrice, Math.Rounding.Ceil);
    }

    /// @notice Sells exactly `sellAmount` from the sender, who has approved it or sends it along as value.
    function swapExactIn(
        address sellToken,
        address buyToken,
        uint256 sellAmount,
        uint256 minBuyAmount,
        address recipient
    ) external payable returns (uint256 buyAmount) {
        buyAmount = quoteExactIn(sellToken, buyToken, sellAmount);
        if (buyAmount < minBuyAmount) revert InsufficientOutput(buyAmount, minBuyAmount);
        if (sellToken == NATIVE && msg.value != sellAmount) revert WrongValue(msg.value, sellAmount);
        _settle(sellToken, buyToken, sellAmount, buyAmount, recipient);
    }

    /// @notice Buys exactly `buyAmount`. Of native tokens sent along, the sender gets back what was not needed.
    function swapExactOut(
        address sellToken,
        address buyToken,
        uint256 buyAmount,
        uint256 maxSellAmount,
        address recipient
    ) external payable returns (uint256 sellAmount) {
        sellAmount = quoteExactOut(sellToken, buyToken, buyAmount);
        if (sellAmount > maxSellAmount) revert ExcessiveInput(sellAmount, maxSellAmount);
        if (sellToken == NATIVE && msg.value < sellAmount) revert WrongValue(msg.value, sellAmount);
        _settle(sellToken, buyToken, sellAmount, buyAmount, recipient);
        if (sellToken == NATIVE && msg.value > sellAmount) _pay(NATIVE, msg.sender, msg.value - sellAmount);
    }

    function _settle(address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, address recipient)
        private
    {
        if (sellToken != NATIVE) {
            if (msg.value != 0) revert WrongValue(msg.value, 0);
            IERC20(sellToken).safeTransferFrom(msg.sender, address(this), sellAmount);
        }
        _pay(buyToken, recipient, buyAmount);
        emit Swapped(msg.sender, sellToken, buyToken, sellAmount, buyAmount, recipient);
    }

    function _pay(address token, address to, uint256 amount) private {
        if (token == NATIVE) Address.sendValue(payable(to), amount);
        else IERC20(token).safeTransfer(to, amount);
    }

    /// @dev Units are smallest units per whole token, prices are values per whole token.
    function _pair(address sellToken, address buyToken, uint256 amount)
        private
        view
        returns (uint256 sellUnit, uint256 sellPrice, uint256 buyUnit, uint256 buyPrice)
    {
        if (sellToken == buyToken) revert SameToken(sellToken);
        if (amount == 0) revert ZeroAmount();
        (sellUnit, sellPrice) = _worth(sellToken);
        (buyUnit, buyPrice) = _worth(buyToken);
    }

    function _worth(address token) private view returns (uint256 unit, uint256 price) {
        Listing memory listing = _listings[token];
        if (address(listing.feed) == address(0)) revert UnsupportedToken(token);
        (, int256 answer,,,) = listing.feed.latestRoundData();
        if (answer <= 0) revert InvalidPrice(token, answer);
        return (10 ** listing.decimals, SafeCast.toUint256(answer) * VALUE_SCALE);
    }

    function _requireInventory(address token, uint256 amount) private view {
        uint256 available = token == NATIVE ? address(this).balance : IERC20(token).balanceOf(address(this));
        if (amount > available) revert InsufficientLiquidity(token, amount, available);
    }

    /// @dev The most of a token that can be bought: what the depth is worth after the spread, less one unit for the rounding.
    function _withinDepth(uint256 depth, uint256 buyUnit, uint256 buyPrice) private view returns (uint256) {
        uint256 amount = (depth - 1).mulDiv(BPS - spreadBps, BPS).mulDiv(buyUnit, buyPrice);
        return amount == 0 ? 0 : amount - 1;
    }
}
