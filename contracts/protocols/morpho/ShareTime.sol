// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title ShareTime
/// @notice A token that counts how long each account held which part of it: what an indexer of the token's transfers would
/// compile, kept here because a local chain forgets its past states. Rewards per second of the whole token times this is
/// what an account has earned.
abstract contract ShareTime is ERC20 {
    uint256 private constant INDEX_SCALE = 1e36;
    uint256 private constant TIME_SCALE = 1e18;

    /// @dev Seconds per unit of the token since the beginning, scaled by INDEX_SCALE; as of `_indexedAt`.
    uint256 private _index;
    uint256 private _indexedAt;
    /// @dev Where the index stood when an account was settled last.
    mapping(address account => uint256) private _indexOf;
    mapping(address account => uint256) private _settled;

    /// @notice Seconds of sole ownership that the account's part amounts to, ever, scaled by 1e18 and rounded down: half of
    /// the token for ten seconds is 5e18.
    function shareTimeOf(address account) external view returns (uint256) {
        return _settled[account] + _unsettled(account, _currentIndex());
    }

    /// @dev Settles both ends before their balances change.
    function _update(address from, address to, uint256 value) internal virtual override {
        uint256 index = _currentIndex();
        _index = index;
        _indexedAt = block.timestamp;
        _settle(from, index);
        _settle(to, index);
        super._update(from, to, value);
    }

    function _settle(address account, uint256 index) private {
        if (account == address(0)) return;
        _settled[account] += _unsettled(account, index);
        _indexOf[account] = index;
    }

    function _unsettled(address account, uint256 index) private view returns (uint256) {
        return Math.mulDiv(balanceOf(account), index - _indexOf[account], INDEX_SCALE / TIME_SCALE);
    }

    /// @dev Time in which there is nothing to hold counts for nobody.
    function _currentIndex() private view returns (uint256) {
        uint256 supply = totalSupply();
        if (supply == 0) return _index;
        return _index + (block.timestamp - _indexedAt) * INDEX_SCALE / supply;
    }
}
