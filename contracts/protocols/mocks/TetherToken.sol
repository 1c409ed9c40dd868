// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice A token with the habits of USDT on mainnet: its functions answer nothing, it takes no approval over an approval, and it
/// can take a fee of what is transferred. Storage begins as `Token`'s does, so that this code may be put in the place of one.
contract TetherToken {
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;
    uint256 public totalSupply;
    string public name;
    string public symbol;
    /// @notice Part of a transfer that `owner` gets. Far behind what `Token` keeps.
    uint256[50] private _gap;
    uint256 public basisPointsRate;

    address public constant owner = address(0xf0e5);
    uint8 public constant decimals = 6;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// @notice Anyone may.
    function setFee(uint256 basisPointsRate_) external {
        basisPointsRate = basisPointsRate_;
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private {
        uint256 fee = value * basisPointsRate / 10_000;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        emit Transfer(from, to, value - fee);
        if (fee == 0) return;
        balanceOf[owner] += fee;
        emit Transfer(from, owner, fee);
    }
}
