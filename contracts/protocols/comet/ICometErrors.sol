// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Errors of Compound III, with its names. They have no arguments there and therefore none here.
interface ICometErrors {
    /// @notice `approve` knows all (the largest number) and nothing (zero).
    error BadAmount();
    /// @notice Not a collateral asset of this market.
    error BadAsset();
    error BadDecimals();
    error BadDiscount();
    error BadMinimum();
    /// @notice A signed permission counts once, in the order of its owner's nonces.
    error BadNonce();
    error BadPrice();
    /// @notice The owner has not signed this.
    error BadSignatory();
    /// @notice The debt left would be below `baseBorrowMin`.
    error BorrowTooSmall();
    error BorrowCFTooLarge();
    /// @notice The market does not have that much to give.
    error InsufficientReserves();
    error InvalidInt104();
    error InvalidInt256();
    error InvalidUInt64();
    error InvalidUInt104();
    error InvalidUInt128();
    /// @notice The signature has a second form, with the other half of the curve; only the lower one counts.
    error InvalidValueS();
    /// @notice Neither 27 nor 28.
    error InvalidValueV();
    error LiquidateCFTooLarge();
    error NegativeNumber();
    error NoSelfTransfer();
    /// @notice The collateral would not carry the debt at the borrow collateral factors.
    error NotCollateralized();
    /// @notice The reserves have reached their target, so collateral is not sold.
    error NotForSale();
    error NotLiquidatable();
    error Paused();
    error ReentrantCallBlocked();
    error SignatureExpired();
    error SupplyCapExceeded();
    error TooManyAssets();
    error TooMuchSlippage();
    /// @notice The token answered `false`. A token that reverts is heard with its own error.
    error TransferInFailed();
    error TransferOutFailed();
    error Unauthorized();
}
