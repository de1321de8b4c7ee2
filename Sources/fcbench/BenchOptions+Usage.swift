extension BenchOptions {
    static let usage = """
        usage: fcbench [OPTION]... MODE [OPTION]...

        Loads a running FriendlyChat server over TLS, with guests as its users, and reports what was delivered.
        The server needs: --set limits.rate=off --set auth.anonymous-create=on (the latter for many).

        modes
          fan     one publisher, many readers of one room
                  --subs N (100)  --window W: messages that some reader still lacks (256)
          many    many rooms whose members all publish and all read; uses rooms #r1, #r2, ...
                  --rooms R (50)  --members M (20)  --window W (2)
          rate    a fixed rate to many readers; a late message is charged from the time it was due
                  --rate R a second (1000)  --subs N (100)
          acked   sends that wait for their acknowledgement; nobody reads
                  --senders S (64)  --inflight K (1)

        options of all modes
          --host H          numeric address or name of the server (127.0.0.1)
          --port P          its chat port (7700)
          --server-pid PID  report this process's CPU time and memory
          --room NAME       room of fan, rate and acked (#lobby)
          --bytes B         length of a message's text, 34 ... 4000 (100)
          --secs S          seconds of sending (5)
          --msgs N          messages each publisher sends at most
          --drain D         seconds without a delivery until the rest counts as lost (5)
          --json            one JSON object instead of the table
          --no-header       the table's row alone
          --help, --version

        exit status: 0 when all is well; 1 when something was lost, doubled or out of order, or a connection failed;
        2 when the command line is wrong.

        """
}
