// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Market, MarketParams} from "../../interfaces/IMorpho.sol";

/// @notice The adaptive rate model of Morpho Blue by its published formulas. A market whose utilization is at the target costs its
/// rate at target, an empty one a quarter of that, a fully lent one four times it. The rate at target moves by itself: up while
/// a market is lent out more than the target, down while less, by a factor e^(50 a year) at the ends. What a market is charged
/// is the mean since its last update.
contract AdaptiveIrm {
    /// @notice A market was charged that mean, and has that rate at target from now on.
    event BorrowRateUpdate(bytes32 indexed id, uint256 avgBorrowRate, uint256 rateAtTarget);

    int256 private constant WAD = 1e18;
    int256 private constant TARGET = 0.9e18;
    int256 private constant STEEPNESS = 4e18;
    int256 private constant SPEED = 50e18 / int256(365 days);
    int256 private constant INITIAL = 0.04e18 / int256(365 days);
    int256 private constant LOWEST = 0.001e18 / int256(365 days);
    int256 private constant HIGHEST = 2e18 / int256(365 days);
    int256 private constant LN_2 = 0.693147180559945309e18;
    /// @dev The logarithm of 1e-18: the exponential of less is nothing.
    int256 private constant LN_WEI = -41.446531673892822312e18;
    /// @dev The exponential of more leads from the lowest rate beyond the highest in any case.
    int256 private constant LARGEST = 93e18;

    /// @notice The only one for whom rates move.
    address public immutable MORPHO;
    /// @notice A market's rate at target at its last update, per second, 1e18-scaled; zero before its first.
    mapping(bytes32 id => int256) public rateAtTarget;

    constructor(address morpho) {
        require(morpho != address(0), "zero address");
        MORPHO = morpho;
    }

    /// @notice What the market is charged since its last update, per second, 1e18-scaled. Morpho Blue calls this when it accrues.
    function borrowRate(MarketParams calldata params, Market calldata market) external returns (uint256) {
        require(msg.sender == MORPHO, "not Morpho");
        bytes32 id = keccak256(abi.encode(params));
        (int256 mean, int256 end) = _rates(id, market);
        rateAtTarget[id] = end;
        emit BorrowRateUpdate(id, uint256(mean), uint256(end));
        return uint256(mean);
    }

    /// @notice The same for readers.
    function borrowRateView(MarketParams calldata params, Market calldata market) external view returns (uint256) {
        (int256 mean,) = _rates(keccak256(abi.encode(params)), market);
        return uint256(mean);
    }

    /// @dev The mean by the trapezoidal rule over two halves, and the rate at target at the end. The distance to the target is
    /// measured in parts of the way to the end it lies towards: -1 is an empty market, 1 a fully lent one.
    function _rates(bytes32 id, Market calldata market) private view returns (int256, int256) {
        int256 supply = int256(uint256(market.totalSupplyAssets));
        int256 utilization = supply > 0 ? int256(uint256(market.totalBorrowAssets)) * WAD / supply : int256(0);
        int256 range = utilization > TARGET ? WAD - TARGET : TARGET;
        int256 distance = (utilization - TARGET) * WAD / range;
        int256 start = rateAtTarget[id];
        if (start == 0) return (_curve(INITIAL, distance), INITIAL);
        int256 drift = SPEED * distance / WAD * int256(block.timestamp - market.lastUpdate);
        if (drift == 0) return (_curve(start, distance), start);
        int256 end = _moved(start, drift);
        int256 middle = _moved(start, drift / 2);
        return (_curve((start + end + 2 * middle) / 4, distance), end);
    }

    function _curve(int256 rate, int256 distance) private pure returns (int256) {
        int256 slope = distance < 0 ? WAD - WAD * WAD / STEEPNESS : STEEPNESS - WAD;
        return (slope * distance / WAD + WAD) * rate / WAD;
    }

    function _moved(int256 rate, int256 drift) private pure returns (int256) {
        int256 moved = rate * _exp(drift) / WAD;
        return moved < LOWEST ? LOWEST : moved > HIGHEST ? HIGHEST : moved;
    }

    /// @dev e^x as 2^q * e^r with the smallest r, the latter by the first three terms of its series.
    function _exp(int256 x) private pure returns (int256) {
        if (x < LN_WEI) return 0;
        if (x > LARGEST) x = LARGEST;
        int256 rounding = x < 0 ? -LN_2 / 2 : LN_2 / 2;
        int256 q = (x + rounding) / LN_2;
        int256 r = x - q * LN_2;
        int256 e = WAD + r + r * r / WAD / 2;
        return q >= 0 ? e << uint256(q) : e >> uint256(-q);
    }
}
