// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {FillInfo, ISpokePool, RelayData} from "./ISpokePool.sol";

/// @notice What a recipient that is a contract may be called with once it has been paid.
interface IAcrossMessageHandler {
    function handleV3AcrossMessage(address token, uint256 amount, address relayer, bytes calldata message) external;
}

interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// @dev The arguments of `depositV3`, in its order.
struct Deposit {
    address depositor;
    address recipient;
    address inputToken;
    address outputToken;
    uint256 inputAmount;
    uint256 outputAmount;
    uint256 destinationChainId;
    address exclusiveRelayer;
    uint32 quoteTimestamp;
    uint32 fillDeadline;
    uint32 exclusivityDeadline;
    bytes message;
}

/// @title SpokePool
/// @notice An Across-compatible spoke pool: takes deposits for other networks and lets a relayer fill deposits of other
/// networks out of its own pocket. Where the real protocol repays relayers and refunds expired deposits through its hub,
/// here the pool refunds an expired deposit itself; the relayer of a simulator needs no repayment.
contract SpokePool is ISpokePool {
    using SafeERC20 for IERC20;

    /// @notice How far a deposit's quote may lie in the past, in seconds.
    uint32 public constant depositQuoteTimeBuffer = 3600;
    /// @notice How far a deposit's deadline may lie in the future, in seconds.
    uint32 public constant fillDeadlineBuffer = 21600;
    /// @dev An exclusivity up to this is a period from now on, a longer one a time.
    uint32 private constant MAX_EXCLUSIVITY_PERIOD = 31_536_000;

    address public immutable wrappedNativeToken;
    /// @notice May refund a deposit before its deadline, as the real protocol's hub may send its spoke pools' money anywhere.
    address public immutable hub;
    uint32 public numberOfDeposits;
    mapping(bytes32 relayHash => uint256) public fillStatuses;
    /// @dev By deposit id, the hash of a deposit that was not refunded; word by word, so it is known that the words of later ids are empty.
    bytes32[2 ** 32] private open;

    constructor(address wrappedNativeToken_, address hub_) {
        wrappedNativeToken = wrappedNativeToken_;
        hub = hub_;
    }

    receive() external payable {}

    /// @inheritdoc ISpokePool
    function depositV3(
        address,
        address,
        address,
        address,
        uint256,
        uint256,
        uint256,
        address,
        uint32,
        uint32,
        uint32,
        bytes calldata
    ) external payable {
        // Twelve arguments are more than the stack carries. Behind an offset word they read as one struct.
        _open(abi.decode(bytes.concat(bytes32(uint256(32)), msg.data[4:]), (Deposit)));
    }

    function _open(Deposit memory deposit) private {
        if (deposit.outputToken == address(0)) revert InvalidOutputToken();
        if (deposit.quoteTimestamp > block.timestamp || block.timestamp - deposit.quoteTimestamp > depositQuoteTimeBuffer) {
            revert InvalidQuoteTimestamp();
        }
        // One in the past is taken too: nobody can fill it, and it goes back.
        if (deposit.fillDeadline > block.timestamp + fillDeadlineBuffer) revert InvalidFillDeadline();
        _take(deposit.inputToken, deposit.inputAmount);
        RelayData memory data = RelayData({
            depositor: _word(deposit.depositor),
            recipient: _word(deposit.recipient),
            exclusiveRelayer: _word(deposit.exclusiveRelayer),
            inputToken: _word(deposit.inputToken),
            outputToken: _word(deposit.outputToken),
            inputAmount: deposit.inputAmount,
            outputAmount: deposit.outputAmount,
            originChainId: block.chainid,
            depositId: numberOfDeposits++,
            fillDeadline: deposit.fillDeadline,
            exclusivityDeadline: _exclusiveUntil(deposit.exclusivityDeadline, deposit.exclusiveRelayer),
            message: deposit.message
        });
        _remember(data.depositId, _depositHash(data, deposit.destinationChainId));
        _emitDeposit(data, deposit.destinationChainId, deposit.quoteTimestamp);
    }

    function _exclusiveUntil(uint32 given, address exclusiveRelayer) private view returns (uint32) {
        if (given == 0) return 0;
        if (exclusiveRelayer == address(0)) revert InvalidExclusiveRelayer();
        return given > MAX_EXCLUSIVITY_PERIOD ? given : uint32(block.timestamp) + given;
    }

    /// @dev For its refund.
    function _remember(uint256 depositId, bytes32 depositHash) internal virtual {
        open[depositId] = depositHash;
    }

    /// @notice The hash of a deposit that was not refunded; zero for any other id.
    function openDeposit(uint256 depositId) public view returns (bytes32) {
        return depositId < open.length ? open[depositId] : bytes32(0);
    }

    /// @inheritdoc ISpokePool
    /// @dev The relayer of the event is who is to be repaid, whoever sends the fill.
    function fillRelay(RelayData calldata relayData, uint256 repaymentChainId, bytes32 repaymentAddress) external {
        // Exclusive for nobody is closed to everybody.
        if (relayData.exclusivityDeadline >= block.timestamp && relayData.exclusiveRelayer != _word(msg.sender)) {
            revert NotExclusiveRelayer();
        }
        if (relayData.fillDeadline < block.timestamp) revert ExpiredFillDeadline();
        bytes32 relayHash = getV3RelayHash(relayData);
        if (fillStatuses[relayHash] == 2) revert RelayFilled();
        fillStatuses[relayHash] = 2;
        _emitFill(relayData, repaymentChainId, repaymentAddress);
        address token = _account(relayData.outputToken);
        address recipient = _account(relayData.recipient);
        _give(token, recipient, relayData.outputAmount);
        if (relayData.message.length == 0 || recipient.code.length == 0) return;
        IAcrossMessageHandler(recipient).handleV3AcrossMessage(
            token, relayData.outputAmount, msg.sender, relayData.message
        );
    }

    /// @inheritdoc ISpokePool
    /// @dev That nobody filled it on the destination is for the caller to know: this chain cannot.
    function refund(RelayData calldata relayData, uint256 destinationChainId) external {
        bytes32 hash = _depositHash(relayData, destinationChainId);
        bool due = block.timestamp > relayData.fillDeadline || msg.sender == hub;
        if (openDeposit(relayData.depositId) != hash || !due) revert NotRefundable();
        delete open[relayData.depositId];
        emit DepositRefunded(relayData.depositId, relayData.depositor, relayData.inputAmount);
        IERC20(_account(relayData.inputToken)).safeTransfer(_account(relayData.depositor), relayData.inputAmount);
    }

    /// @inheritdoc ISpokePool
    function getV3RelayHash(RelayData calldata relayData) public view returns (bytes32) {
        return keccak256(abi.encode(relayData, block.chainid));
    }

    /// @dev A deposit of the wrapped native token may be paid with the native one.
    function _take(address token, uint256 amount) private {
        if (msg.value == 0) {
            IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
            return;
        }
        if (token != wrappedNativeToken || msg.value != amount) revert MsgValueDoesNotMatchInputAmount();
        IWrappedNative(token).deposit{value: amount}();
    }

    /// @dev As the protocol does: the wrapped native token passes through the pool, and an account without code gets the native one.
    function _give(address token, address recipient, uint256 amount) private {
        bool wrapped = token == wrappedNativeToken;
        IERC20(token).safeTransferFrom(msg.sender, wrapped ? address(this) : recipient, amount);
        if (!wrapped) return;
        if (recipient.code.length > 0) {
            IERC20(token).safeTransfer(recipient, amount);
            return;
        }
        IWrappedNative(token).withdraw(amount);
        Address.sendValue(payable(recipient), amount);
    }

    function _emitDeposit(RelayData memory data, uint256 destinationChainId, uint32 quoteTimestamp) private {
        emit FundsDeposited(
            data.inputToken,
            data.outputToken,
            data.inputAmount,
            data.outputAmount,
            destinationChainId,
            data.depositId,
            quoteTimestamp,
            data.fillDeadline,
            data.exclusivityDeadline,
            data.depositor,
            data.recipient,
            data.exclusiveRelayer,
            data.message
        );
    }

    function _emitFill(RelayData calldata data, uint256 repaymentChainId, bytes32 repaymentAddress) private {
        bytes32 messageHash = _hashOf(data.message);
        emit FilledRelay(
            data.inputToken,
            data.outputToken,
            data.inputAmount,
            data.outputAmount,
            repaymentChainId,
            data.originChainId,
            data.depositId,
            data.fillDeadline,
            data.exclusivityDeadline,
            data.exclusiveRelayer,
            repaymentAddress,
            data.depositor,
            data.recipient,
            messageHash,
            FillInfo(data.recipient, messageHash, data.outputAmount, 0)
        );
    }

    /// @dev As the protocol does: the hash of no message is zero.
    function _hashOf(bytes calldata message) private pure returns (bytes32) {
        return message.length == 0 ? bytes32(0) : keccak256(message);
    }

    function _depositHash(RelayData memory data, uint256 destinationChainId) private pure returns (bytes32) {
        return keccak256(abi.encode(data, destinationChainId));
    }

    function _word(address value) private pure returns (bytes32) {
        return bytes32(uint256(uint160(value)));
    }

    function _account(bytes32 value) private pure returns (address) {
        return address(uint160(uint256(value)));
    }
}
