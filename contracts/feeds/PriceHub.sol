// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice The one place on a network where prices are set. All feeds of the offline world read it.
contract PriceHub {
    event PriceSet(bytes32 indexed symbol, uint256 usdE8);

    /// @notice Only the admin sets prices.
    error NotAdmin(address caller, address admin);
    /// @notice The symbol has no price.
    error UnknownSymbol(bytes32 symbol);
    /// @notice A price must be above zero.
    error ZeroPrice(bytes32 symbol);
    /// @notice Every symbol needs one price.
    error LengthMismatch(uint256 symbols, uint256 prices);

    /// @notice The address that sets prices.
    address public immutable admin;
    mapping(bytes32 symbol => uint256 usdE8) private _prices;

    constructor(address admin_) {
        admin = admin_;
    }

    modifier onlyAdmin() {
        if (msg.sender != admin) revert NotAdmin(msg.sender, admin);
        _;
    }

    /// @notice Sets the price of one whole token of `symbol` (text, left-aligned) in USD with 8 decimals.
    function setPrice(bytes32 symbol, uint256 usdE8) external onlyAdmin {
        _set(symbol, usdE8);
    }

    /// @notice Sets many prices at once; the two lists run in parallel.
    function setPrices(bytes32[] calldata symbols, uint256[] calldata usdE8) external onlyAdmin {
        if (symbols.length != usdE8.length) revert LengthMismatch(symbols.length, usdE8.length);
        for (uint256 i = 0; i < symbols.length; i++) _set(symbols[i], usdE8[i]);
    }

    /// @notice The price of one whole token of `symbol` in USD with 8 decimals.
    function priceOf(bytes32 symbol) external view returns (uint256 usdE8) {
        usdE8 = _prices[symbol];
        if (usdE8 == 0) revert UnknownSymbol(symbol);
    }

    function _set(bytes32 symbol, uint256 usdE8) private {
        if (usdE8 == 0) revert ZeroPrice(symbol);
        _prices[symbol] = usdE8;
        emit PriceSet(symbol, usdE8);
    }
}
