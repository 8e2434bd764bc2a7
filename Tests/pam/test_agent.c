/* test_agent.c - for which process the module asks, when polkit's helper asks for an authentication agent
 *
 * Each row gives a host another descriptor 0, and the gate writes down what it was asked. Run by itself as a set-uid
 * program, it is such a host. */
#define _GNU_SOURCE
#include "../../pam/onsite_client.h"
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#define SET_UID BUILD_DIR "/test_agent.setuid"

static pid_t agent;

/* A listening socket, at an address that the kernel chooses. */
static int listen_at(int domain, int type, struct sockaddr_storage *address, socklen_t *size)
{
    int listener = socket(domain, type | SOCK_CLOEXEC, 0);

    *address = (struct sockaddr_storage){ .ss_family = (sa_family_t)domain };
    if (domain == AF_INET)
        ((struct sockaddr_in *)address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *size = domain == AF_INET ? sizeof(struct sockaddr_in) : sizeof(sa_family_t);
    if (bind(listener, (struct sockaddr *)address, *size) != 0 || listen(listener, 1) != 0)
        abort();
    *size = sizeof *address;
    getsockname(listener, (struct sockaddr *)address, size);
    return listener;
}

/* A connection to a process of its own, the agent. */
static int accept_agent(int domain, int type)
{
    struct sockaddr_storage address;
    socklen_t size;
    int listener = listen_at(domain, type, &address, &size);

    agent = fork();
    if (agent == 0) {
        char byte;
        close(listener);
        int channel = socket(domain, type | SOCK_CLOEXEC, 0);
        if (connect(channel, (struct sockaddr *)&address, size) != 0)
            abort();
        _exit(read(channel, &byte, 1) < 0); /* until it is hung up on */
    }
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    close(listener);
    return connection;
}

static int stream(void) { return accept_agent(AF_UNIX, SOCK_STREAM); }
static int records(void) { return accept_agent(AF_UNIX, SOCK_SEQPACKET); }
static int network(void) { return accept_agent(AF_INET, SOCK_STREAM); }
static int unconnected(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }
static int none(void) { return -1; }

static int listener(void)
{
    struct sockaddr_storage address;
    socklen_t size;
    return listen_at(AF_UNIX, SOCK_STREAM, &address, &size);
}

static int datagrams(void)
{
    int ends[2];
    return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) == 0 ? ends[0] : -1;
}

static int pipe_end(void)
{
    int ends[2];
    return pipe2(ends, O_CLOEXEC) == 0 ? ends[0] : -1;
}

static int deserted(void)
{
    int connection = stream();
    kill(agent, SIGKILL);
    waitpid(agent, NULL, 0);
    return connection;
}

/* Whether the kernel can tell that a process is gone whose number a socket knows. */
static bool kernel_knows(void)
{
    int ends[2], process = -1;
    socklen_t size = sizeof process;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        abort();
    bool known = getsockopt(ends[0], SOL_SOCKET, SO_PEERPIDFD, &process, &size) == 0;
    close(process);
    close(ends[0]);
    close(ends[1]);
    return known;
}

struct row {
    const char *name, *service;
    int (*descriptor)(void);
    bool for_agent;
    int (*become)(void);
};

static int sudo(void) { return setresuid(1000, 0, 0); }

static int set_uid(void)
{
    if (setresuid(1000, 1000, 1000) == 0)
        execl(SET_UID, SET_UID, NULL);
    return -1;
}

/* Asks once, and checks for whom. Answers 0, or the step that failed. */
static int ask(const char *service, pid_t expected)
{
    struct onsite_request_header header;
    char before[4096];

    strcpy(before, descriptors());
    if (login(service, &(struct items){ .user = "alice" }, &listening, 0) != PAM_AUTH_ERR)
        return 1;
    if (strcmp(before, descriptors()) != 0)
        return 2;
    int file = open(BUILD_DIR "/request", O_RDONLY | O_CLOEXEC);
    ssize_t size = read(file, &header, sizeof header);
    close(file);
    return size != sizeof header ? 3 : header.process != (uint32_t)expected ? 4 : 0;
}

static int run(const void *argument)
{
    const struct row *row = argument;
    int descriptor = row->descriptor();

    unlink(BUILD_DIR "/request");
    close(STDIN_FILENO);
    if (descriptor > 0 && (dup2(descriptor, STDIN_FILENO) != STDIN_FILENO || close(descriptor) != 0))
        return 10;
    if (row->become != NULL && row->become() != 0)
        return 11;
    return ask(row->service, row->for_agent ? agent : 0);
}

/* The set-uid program: what it was started as cannot be seen from its user, and its descriptors were chosen. */
static int run_set_uid(void)
{
    if (getauxval(AT_SECURE) == 0 || setresuid(0, 0, 0) != 0)
        return 12;
    return ask("polkit-1", 0);
}

static void make_set_uid(void)
{
    if (system("cp " BUILD_DIR "/test_agent " SET_UID) != 0 || chmod(SET_UID, 04755) != 0)
        abort();
}

int main(int argc, char **argv)
{
    (void)argc;
    const struct row rows[] = {
        { "the agent that has connected to polkit's helper is who asks", "polkit-1", stream, true, NULL },
        { "an agent that has left is not", "polkit-1", deserted, !kernel_knows(), NULL },
        { "another service asks for itself", "sudo", stream, false, NULL },
        { "a service whose name begins so asks for itself", "polkit-1x", stream, false, NULL },
        { "a program of a user, with root's rights, asks for itself", "polkit-1", stream, false, sudo },
        { "a set-uid program that has become root asks for itself", "polkit-1", stream, false, set_uid },
        { "a connection of records is no agent", "polkit-1", records, false, NULL },
        { "a connection of the network is no agent", "polkit-1", network, false, NULL },
        { "a socket without a connection is no agent", "polkit-1", unconnected, false, NULL },
        { "a socket that is listened on is no agent", "polkit-1", listener, false, NULL },
        { "a pair of sockets for datagrams is no agent", "polkit-1", datagrams, false, NULL },
        { "a pipe is no agent", "polkit-1", pipe_end, false, NULL },
        { "without a descriptor 0 there is no agent", "polkit-1", none, false, NULL },
    };

    if (strcmp(argv[0], SET_UID) == 0)
        return run_set_uid();
    make_set_uid();
    use_gate("request");
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        write_stack(rows[i].service, "auth required " MODULE "\n");
        int result = in_child(run, &rows[i]);
        check(result == 0, rows[i].name, "step %d", result);
    }
    unlink(SET_UID);
    return 0;
}
