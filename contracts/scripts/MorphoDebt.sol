// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IMorpho, MarketParams} from "../interfaces/IMorpho.sol";
import {MorphoMath} from "../protocols/morpho/MorphoMath.sol";

/// @title MorphoDebt
/// @notice What the wallet owes on Morpho Blue and how scripts pay it back: all of it by shares, so that no dust stays.
library MorphoDebt {
    using SafeERC20 for IERC20;

    /// @notice The wallet's debt with the interest up to now, rounded up as the market does when it is repaid.
    function owed(IMorpho morpho, MarketParams memory market) internal returns (uint256 shares, uint256 assets) {
        morpho.accrueInterest(market);
        bytes32 id = keccak256(abi.encode(market));
        shares = morpho.position(id, address(this)).borrowShares;
        assets = MorphoMath.toAssetsUp(shares, morpho.market(id));
    }

    /// @notice Pays back `assets`, or the whole debt when it is not more than that; returns what was paid.
    function repayUpTo(IMorpho morpho, MarketParams memory market, uint256 assets) internal returns (uint256) {
        (uint256 shares, uint256 debt) = owed(morpho, market);
        bool isAll = assets >= debt;
        uint256 paid = isAll ? debt : assets;
        if (paid == 0) return 0;
        IERC20(market.loanToken).forceApprove(address(morpho), paid);
        if (isAll) morpho.repay(market, 0, shares, address(this), "");
        else morpho.repay(market, assets, 0, address(this), "");
        return paid;
    }
}
