/* The states of a connection, after RFC 793, driven by segments and by the user. */

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

#define STEPS 7

enum state { CLOSED, LISTEN, SYN_SENT, SYN_RECEIVED, ESTABLISHED, FIN_WAIT_1, FIN_WAIT_2, CLOSE_WAIT, CLOSING, LAST_ACK, TIME_WAIT };
enum event { USER_LISTEN, USER_CONNECT, USER_SEND, USER_CLOSE, SEGMENT, TIMEOUT };

enum { FIN = 1, SYN = 2, RST = 4, ACK = 16 };

struct segment {
    unsigned char flags;
    unsigned short number, acknowledged, window;
};

struct connection {
    enum state state;
    unsigned short next_send, unacknowledged, next_receive, window;
    unsigned resets, retries, delivered;
};

static int acceptable(const struct connection *connection, const struct segment *segment)
{
    unsigned short distance = segment->number - connection->next_receive;
    return distance <= connection->window;
}

static void reset(struct connection *connection)
{
    connection->state = CLOSED;
    connection->resets++;
}

static void send(struct connection *connection)
{
    connection->next_send++;
}

static int listening(struct connection *connection, const struct segment *segment)
{
    if (segment->flags & RST)
        return 0;
    if (segment->flags & ACK)
        return -1;
    if (!(segment->flags & SYN))
        return 0;
    connection->next_receive = segment->number + 1;
    connection->state = SYN_RECEIVED;
    send(connection);
    return 1;
}

static int connecting(struct connection *connection, const struct segment *segment)
{
    int good = (segment->flags & ACK) && segment->acknowledged == connection->next_send;
    if ((segment->flags & ACK) && !good)
        return -1;
    if (segment->flags & RST) {
        if (good)
            reset(connection);
        return 0;
    }
    if (segment->flags & SYN) {
        connection->next_receive = segment->number + 1;
        if (good) {
            connection->unacknowledged = segment->acknowledged;
            connection->state = ESTABLISHED;
        } else {
            connection->state = SYN_RECEIVED;
        }
        return 1;
    }
    return 0;
}

static int connected(struct connection *connection, const struct segment *segment)
{
    if (!acceptable(connection, segment))
        return -1;
    if (segment->flags & RST) {
        reset(connection);
        return 0;
    }
    if (segment->flags & SYN) {
        reset(connection);
        return -1;
    }
    if (!(segment->flags & ACK))
        return 0;
    int all = segment->acknowledged == connection->next_send;
    switch (connection->state) {
    case SYN_RECEIVED:
        if (!all)
            return -1;
        connection->state = ESTABLISHED;
        break;
    case FIN_WAIT_1:
        if (all)
            connection->state = FIN_WAIT_2;
        break;
    case CLOSING:
        if (all)
            connection->state = TIME_WAIT;
        break;
    case LAST_ACK:
        if (all)
            connection->state = CLOSED;
        break;
    default:
        break;
    }
    connection->unacknowledged = segment->acknowledged;
    if (segment->window == 0)
        connection->window = 1;
    if (segment->flags & FIN) {
        connection->next_receive++;
        switch (connection->state) {
        case ESTABLISHED:
            connection->state = CLOSE_WAIT;
            break;
        case FIN_WAIT_1:
            connection->state = CLOSING;
            break;
        case FIN_WAIT_2:
            connection->state = TIME_WAIT;
            break;
        default:
            break;
        }
    } else if (connection->state == ESTABLISHED) {
        connection->delivered++;
    }
    return 1;
}

static int receive(struct connection *connection, const struct segment *segment)
{
    switch (connection->state) {
    case CLOSED:
        return segment->flags & RST ? 0 : -1;
    case LISTEN:
        return listening(connection, segment);
    case SYN_SENT:
        return connecting(connection, segment);
    default:
        return connected(connection, segment);
    }
}

static int step(struct connection *connection, enum event event, const struct segment *segment)
{
    switch (event) {
    case USER_LISTEN:
        if (connection->state != CLOSED)
            return -1;
        connection->state = LISTEN;
        return 1;
    case USER_CONNECT:
        if (connection->state != CLOSED && connection->state != LISTEN)
            return -1;
        connection->state = SYN_SENT;
        send(connection);
        return 1;
    case USER_SEND:
        if (connection->state != ESTABLISHED && connection->state != CLOSE_WAIT)
            return -1;
        send(connection);
        return 1;
    case USER_CLOSE:
        switch (connection->state) {
        case LISTEN:
        case SYN_SENT:
            connection->state = CLOSED;
            return 1;
        case SYN_RECEIVED:
        case ESTABLISHED:
            connection->state = FIN_WAIT_1;
            send(connection);
            return 1;
        case CLOSE_WAIT:
            connection->state = LAST_ACK;
            send(connection);
            return 1;
        default:
            return -1;
        }
    case SEGMENT:
        return receive(connection, segment);
    case TIMEOUT:
        if (connection->state == TIME_WAIT) {
            connection->state = CLOSED;
            return 1;
        }
        connection->retries++;
        if (3 < connection->retries)
            reset(connection);
        return 0;
    default:
        return -1;
    }
}

int main(void)
{
    struct connection connection = { CLOSED, 100, 100, 0, 512, 0, 0, 0 };
    int refused = 0;
    for (int i = 0; i < STEPS; i++) {
        struct segment segment;
        enum event event = __VERIFIER_nondet_uchar();
        segment.flags = __VERIFIER_nondet_uchar();
        segment.number = __VERIFIER_nondet_ushort();
        segment.acknowledged = __VERIFIER_nondet_ushort();
        segment.window = __VERIFIER_nondet_ushort();
        if (step(&connection, event, &segment) < 0)
            refused++;
    }
    if (connection.state == TIME_WAIT && refused == 0)
        return 1;
    if (connection.delivered == 2 && connection.resets == 1)
        return 2;
    return 0;
}
