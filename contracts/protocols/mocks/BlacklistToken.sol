// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice A token that keeps an account's blacklisting in the highest bit of its balance, as USDC does since version 2.2. Storage
/// begins as `Token`'s does, so that this code may be put in the place of one.
contract BlacklistToken {
    mapping(address account => uint256) private _balanceAndBlacklisted;
    mapping(address account => mapping(address spender => uint256)) public allowance;
    uint256 public totalSupply;
    string public name;
    string public symbol;

    uint8 public constant decimals = 6;
    uint256 private constant BLACKLISTED = 1 << 255;

    event Transfer(address indexed from, address indexed to, uint256 value);

    /// @notice Anyone may.
    function blacklist(address account) external {
        _balanceAndBlacklisted[account] |= BLACKLISTED;
    }

    function balanceOf(address account) public view returns (uint256) {
        return _balanceAndBlacklisted[account] & ~BLACKLISTED;
    }

    function isBlacklisted(address account) public view returns (bool) {
        return _balanceAndBlacklisted[account] & BLACKLISTED != 0;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _refuseBlacklisted(msg.sender);
        _refuseBlacklisted(spender);
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _refuseBlacklisted(msg.sender);
        require(value <= allowance[from][msg.sender], "ERC20: transfer amount exceeds allowance");
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= value;
        return _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private returns (bool) {
        _refuseBlacklisted(from);
        _refuseBlacklisted(to);
        require(value <= balanceOf(from), "ERC20: transfer amount exceeds balance");
        _balanceAndBlacklisted[from] -= value;
        _balanceAndBlacklisted[to] += value;
        emit Transfer(from, to, value);
        return true;
    }

    function _refuseBlacklisted(address account) private view {
        require(!isBlacklisted(account), "Blacklistable: account is blacklisted");
    }
}
