// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Tether
/// @notice Behaves as USDT on Ethereum: `transfer`, `transferFrom` and `approve` return nothing, an allowance is replaced only by zero or from
/// zero, refusals carry no words, its owner may set a fee, and balances lie at slot 2. It cannot be deprecated. `mint` is the simulator's.
contract Tether {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AddedBlackList(address _user);
    event RemovedBlackList(address _user);
    event Params(uint256 feeBasisPoints, uint256 maxFee);
    event Pause();
    event Unpause();

    // In the order of the original.
    address public owner;
    bool public paused;
    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    uint256 public basisPointsRate;
    uint256 public maximumFee;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    mapping(address account => bool) public isBlackListed;
    string public name;
    string public symbol;
    uint256 public decimals;
    address public upgradedAddress;
    bool public deprecated;

    modifier whenNotPaused() {
        require(!paused);
        _;
    }

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    /// @dev What a call leaves out of its arguments.
    modifier onlyPayloadSize(uint256 size) {
        require(msg.data.length >= size + 4);
        _;
    }

    constructor(string memory name_, string memory symbol_, uint8 decimals_, address owner_) {
        (name, symbol, decimals, owner) = (name_, symbol_, decimals_, owner_);
    }

    function transfer(address to, uint256 value) external whenNotPaused onlyPayloadSize(2 * 32) {
        require(!isBlackListed[msg.sender]);
        _move(msg.sender, to, value);
    }

    /// @notice An allowance of the largest number is never used up.
    function transferFrom(address from, address to, uint256 value) external whenNotPaused onlyPayloadSize(3 * 32) {
        require(!isBlackListed[from]);
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < type(uint256).max) allowance[from][msg.sender] = _minus(allowed, value);
        _move(from, to, value);
    }

    function approve(address spender, uint256 value) external onlyPayloadSize(2 * 32) {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function mint(address to, uint256 amount) external onlyOwner {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function getOwner() external view returns (address) {
        return owner;
    }

    function getBlackListStatus(address maker) external view returns (bool) {
        return isBlackListed[maker];
    }

    function addBlackList(address user) external onlyOwner {
        isBlackListed[user] = true;
        emit AddedBlackList(user);
    }

    function removeBlackList(address user) external onlyOwner {
        isBlackListed[user] = false;
        emit RemovedBlackList(user);
    }

    function pause() external onlyOwner whenNotPaused {
        paused = true;
        emit Pause();
    }

    function unpause() external onlyOwner {
        require(paused);
        paused = false;
        emit Unpause();
    }

    /// @notice The fee in basis points, and its bound in whole tokens.
    function setParams(uint256 newBasisPoints, uint256 newMaxFee) external onlyOwner {
        require(newBasisPoints < 20);
        require(newMaxFee < 50);
        basisPointsRate = newBasisPoints;
        maximumFee = newMaxFee * 10 ** decimals;
        emit Params(basisPointsRate, maximumFee);
    }

    function _move(address from, address to, uint256 value) private {
        uint256 fee = value * basisPointsRate / 10_000;
        if (fee > maximumFee) fee = maximumFee;
        balanceOf[from] = _minus(balanceOf[from], value);
        balanceOf[to] += value - fee;
        if (fee > 0) {
            balanceOf[owner] += fee;
            emit Transfer(from, owner, fee);
        }
        emit Transfer(from, to, value - fee);
    }

    /// @dev As the compilers of its time had it: a failed assertion is an invalid opcode, which takes all gas.
    function _minus(uint256 a, uint256 b) private pure returns (uint256) {
        if (b > a) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        unchecked {
            return a - b;
        }
    }
}
