// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Dai
/// @notice Behaves as DAI: what it refuses and with which words, and, on Ethereum, a permit of all or nothing with a nonce, and balances at slot
/// 2. On the networks that have Maker's own bridge (`isL2`) it takes no transfer to itself or to nobody, and its permit is that of EIP-2612.
contract Dai {
    event Transfer(address indexed src, address indexed dst, uint256 wad);
    event Approval(address indexed src, address indexed guy, uint256 wad);

    string public constant name = "Dai Stablecoin";
    string public constant symbol = "DAI";
    uint8 public constant decimals = 18;
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant ALL_TYPEHASH =
        keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");
    bytes32 private constant AMOUNT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    bool private immutable isL2;

    // In the order of the original.
    mapping(address account => uint256) public wards;
    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    mapping(address account => uint256) public nonces;

    constructor(address ward, bool isL2_) {
        wards[ward] = 1;
        isL2 = isL2_;
    }

    function version() public view returns (string memory) {
        return isL2 ? "2" : "1";
    }

    // forge-lint: disable-next-line(mixed-case-function)
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 versionHash = keccak256(bytes(version()));
        return keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), versionHash, block.chainid, address(this)));
    }

    // forge-lint: disable-next-line(mixed-case-function)
    function PERMIT_TYPEHASH() external view returns (bytes32) {
        return isL2 ? AMOUNT_TYPEHASH : ALL_TYPEHASH;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return transferFrom(msg.sender, to, value);
    }

    /// @notice An allowance of the largest number is never used up.
    function transferFrom(address from, address to, uint256 value) public returns (bool) {
        require(!isL2 || (to != address(0) && to != address(this)), "Dai/invalid-address");
        require(balanceOf[from] >= value, "Dai/insufficient-balance");
        uint256 allowed = allowance[from][msg.sender];
        if (from != msg.sender && allowed != type(uint256).max) {
            require(allowed >= value, "Dai/insufficient-allowance");
            allowance[from][msg.sender] = allowed - value;
        }
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function increaseAllowance(address spender, uint256 more) external returns (bool) {
        require(isL2);
        _approve(msg.sender, spender, allowance[msg.sender][spender] + more);
        return true;
    }

    function decreaseAllowance(address spender, uint256 less) external returns (bool) {
        require(isL2);
        uint256 allowed = allowance[msg.sender][spender];
        require(allowed >= less, "Dai/insufficient-allowance");
        _approve(msg.sender, spender, allowed - less);
        return true;
    }

    function mint(address to, uint256 value) external {
        require(wards[msg.sender] == 1, "Dai/not-authorized");
        require(!isL2 || (to != address(0) && to != address(this)), "Dai/invalid-address");
        balanceOf[to] += value;
        totalSupply += value;
        emit Transfer(address(0), to, value);
    }

    function burn(address from, uint256 value) external {
        require(balanceOf[from] >= value, "Dai/insufficient-balance");
        uint256 allowed = allowance[from][msg.sender];
        if (from != msg.sender && allowed != type(uint256).max) {
            require(allowed >= value, "Dai/insufficient-allowance");
            allowance[from][msg.sender] = allowed - value;
        }
        balanceOf[from] -= value;
        totalSupply -= value;
        emit Transfer(from, address(0), value);
    }

    /// @notice The permit of Ethereum: all, or nothing.
    function permit(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(!isL2);
        bytes32 hash = keccak256(abi.encode(ALL_TYPEHASH, holder, spender, nonce, expiry, allowed));
        require(holder != address(0), "Dai/invalid-address-0");
        require(holder == _signerOf(hash, v, r, s), "Dai/invalid-permit");
        require(expiry == 0 || block.timestamp <= expiry, "Dai/permit-expired");
        require(nonce == nonces[holder]++, "Dai/invalid-nonce");
        _approve(holder, spender, allowed ? type(uint256).max : 0);
    }

    /// @notice The permit of the other networks (EIP-2612).
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(isL2);
        require(block.timestamp <= deadline, "Dai/permit-expired");
        bytes32 hash = keccak256(abi.encode(AMOUNT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
        require(owner != address(0) && owner == _signerOf(hash, v, r, s), "Dai/invalid-permit");
        _approve(owner, spender, value);
    }

    function _approve(address owner, address spender, uint256 value) private {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function _signerOf(bytes32 structHash, uint8 v, bytes32 r, bytes32 s) private view returns (address) {
        return ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash)), v, r, s);
    }
}
